import JSONKit

/// The form of the statements of a document, where libraries differ.
struct StatementForm: Hashable, Sendable {
    var languageTags: JSONLDOptions.LanguageTags
    var controls = ControlCharacters.escaped
}

extension JSONValue {
    /// Indicates control characters in a text, a name aside: no IRI has any.
    fileprivate var hasControlCharacters: Bool {
        var pending = [JSONValue](pending: self)
        while let value = pending.popLast() {
            switch value {
            case .string(let text): if ControlCharacters.areWritten(in: text) { return true }
            case .array(let elements): pending += elements
            case .object(let members): for (_, value) in members { pending.append(value) }
            default: break
            }
        }
        return false
    }
}

extension ProofInputs {
    /// The forms of the statements that a signer may have used, the usual one first: one for most documents.
    ///
    /// JSON-LD lets processors write language tags in lower case: most do, and some keep them as they are. The suites before
    /// Data Integrity prescribe URDNA2015, which leaves control characters as they are; libraries since RDFC-1.0 escape them.
    ///
    /// - Parameters:
    ///   - proof: The proof.
    ///   - previous: The proofs that it covers.
    func forms(of proof: LinkedDataProof, covering previous: [LinkedDataProof]) -> [StatementForm] {
        let usual = StatementForm(languageTags: settings.options.languageTags)
        guard ProofScheme(proof.suite)?.canonicalization == .rdf else { return [usual] }
        var forms = [usual]
        if expanded?.hasUppercaseLanguageTags == true {
            forms.append(StatementForm(languageTags: usual.languageTags == .lowercased ? .asWritten : .lowercased))
        }
        guard proof.suite.cryptosuite == nil, hasControlCharacters([proof] + previous) else { return forms }
        return forms + forms.map { StatementForm(languageTags: $0.languageTags, controls: .raw) }
    }

    /// Indicates control characters in a text of the document or of a proof.
    private func hasControlCharacters(_ proofs: [LinkedDataProof]) -> Bool {
        JSONValue.object(document).hasControlCharacters
            || proofs.contains { JSONValue.object($0.members).hasControlCharacters }
    }
}
