import CryptoCore
import JSONKit
public import VerificationCore

extension LinkedDataProver {
    /// Derives a proof that discloses a part of a document, from the issuer's base proof of `ecdsa-sd-2023` (Data
    /// Integrity ECDSA Cryptosuites 1.0, section 3.6.6).
    ///
    /// ```swift
    /// let name = try JSONPointer("/credentialSubject/name")
    /// let derived = try LinkedDataProver().derive(from: received, revealing: [name])
    /// ```
    ///
    /// The result has what the issuer made mandatory, what the pointers select, the types of all objects on the way to them,
    /// and their identifiers. It has no other proof than the derived one.
    ///
    /// The signatures of the statements are verified, and the issuer's is not, for which the key has to be found. To verify a
    /// credential on its receipt, derive a proof that reveals ``JSONPointer/document`` and verify that.
    ///
    /// - Parameters:
    ///   - document: The document with the base proof.
    ///   - pointers: The places to disclose besides the mandatory ones.
    ///   - id: The identifier of the base proof, for a document that has several.
    /// - Throws: ``LinkedDataError/Code/invalidProof`` without exactly one such proof,
    ///   ``LinkedDataError/Code/invalidProofValue`` for a value that is not a base proof of the document,
    ///   ``LinkedDataError/Code/invalidPointer`` for a place that the document does not have, and if nothing is selected,
    ///   ``LinkedDataError/Code/unsupportedSelection``, and the codes of JSON-LD, of safe mode and of limits.
    public func derive(
        from document: SecuredDocument,
        revealing pointers: [JSONPointer],
        proof id: ExactText? = nil
    ) throws(LinkedDataError) -> SecuredDocument {
        let proof = try document.baseProof(id)
        try settings.disclosure.check(pointers: pointers.count)
        let value: BaseProofValue
        do throws(LinkedDataError) {
            guard let text = proof.members["proofValue"]?.stringValue else {
                throw LinkedDataError(.invalidProofValue, "it is missing or no text")
            }
            value = try BaseProofValue(text, settings.disclosure)
        } catch {
            throw error.inside("proofValue").inside("proof")
        }
        let disclosed = try disclosure(of: document.unverifiedDocument, value, pointers)
        var members = proof.members
        members["proofValue"] = .string(disclosed.value.text)
        var revealed = disclosed.document
        revealed["proof"] = .object(members)
        return try SecuredDocument(json: revealed)
    }

    /// The disclosed part and its proof, with the form of language tags that the issuer used.
    ///
    /// JSON-LD lets processors write tags in lower case: most do, and some keep them as they are.
    private func disclosure(
        of document: JSONObject,
        _ value: BaseProofValue,
        _ pointers: [JSONPointer]
    ) throws(LinkedDataError) -> (document: JSONObject, value: DerivedProofValue) {
        let usual = settings.options.languageTags
        do throws(LinkedDataError) {
            return try disclosure(of: document, value, pointers, languageTags: usual)
        } catch {
            guard error.code == .invalidProofValue, try settings.expand(document).hasUppercaseLanguageTags else {
                throw error
            }
        }
        let other: JSONLDOptions.LanguageTags = usual == .lowercased ? .asWritten : .lowercased
        return try disclosure(of: document, value, pointers, languageTags: other)
    }

    /// The disclosed part and its proof (section 3.5.4).
    private func disclosure(
        of document: JSONObject,
        _ value: BaseProofValue,
        _ pointers: [JSONPointer],
        languageTags: JSONLDOptions.LanguageTags
    ) throws(LinkedDataError) -> (document: JSONObject, value: DerivedProofValue) {
        let base = value.content
        let statements = try LabeledStatements(document, key: base.labelKey, settings, languageTags)
        let mandatory = try statements.selection(by: base.mandatoryPointers)?.indexes ?? []
        let signed = statements.divided(by: mandatory).signed
        guard base.key.signs(signed, base.signatures) else {
            throw LinkedDataError(
                .invalidProofValue,
                "the signatures are not those of the document's statements",
                path: ["proof", "proofValue"]
            )
        }
        guard let disclosed = try statements.selection(by: base.mandatoryPointers + pointers) else {
            throw LinkedDataError(.invalidPointer, "nothing is mandatory, and nothing is selected")
        }
        let unmandatory = statements.lines.indices.filter { !mandatory.contains($0) }
        let signatures = zip(unmandatory, base.signatures).filter { disclosed.indexes.contains($0.0) }.map { $0.1 }
        let indexes = disclosed.indexes.sorted().enumerated().filter { mandatory.contains($0.element) }.map {
            $0.offset
        }
        let derived = DerivedProofValue(
            baseSignature: value.baseSignature,
            key: base.key,
            signatures: signatures,
            labels: try statements.digests(of: disclosed),
            mandatoryIndexes: indexes
        )
        return (disclosed.document, derived)
    }
}

extension LabeledStatements {
    /// The statements of some indexes, and the others.
    func divided(by mandatory: Set<Int>) -> (mandatory: [[UInt8]], signed: [[UInt8]]) {
        let mandatoryLines = mandatory.sorted().map { lines[$0] }
        return (mandatoryLines, lines.indices.filter { !mandatory.contains($0) }.map { lines[$0] })
    }
}

extension SecuredDocument {
    /// The proof that others are derived from: the only one of the suite, or that of an identifier.
    fileprivate func baseProof(_ id: ExactText?) throws(LinkedDataError) -> LinkedDataProof {
        let candidates = proofs.filter { $0.suite == .ecdsaSD2023 && (id == nil || $0.id == id) }
        guard let proof = candidates.first, candidates.count == 1 else {
            let number = candidates.isEmpty ? "no proof" : "several proofs"
            throw LinkedDataError(.invalidProof, "the document has \(number) to derive one from", path: ["proof"])
        }
        if let fault = proof.fault { throw fault.inside("proof") }
        return proof
    }
}
