public import CryptoCore
import JSONKit

/// The bytes that a proof signs, with everything that they are made of.
public struct LinkedDataProofInput: Hashable, Sendable {
    /// The document in its canonical form, without the proofs that this one does not cover; in `ecdsa-sd-2023` its
    /// mandatory statements, with the labels of the proof.
    public let canonicalDocument: [UInt8]
    /// The options of the proof in their canonical form.
    public let canonicalOptions: [UInt8]
    /// The hash function of both digests.
    public let hash: HashAlgorithm

    /// The digest of the canonical document.
    public let documentDigest: [UInt8]
    /// The digest of the canonical options.
    public let optionsDigest: [UInt8]
    /// The multikey of the key that signs the other statements one by one, in `ecdsa-sd-2023`; else empty.
    public let statementKey: [UInt8]
    /// The statements that are signed one by one, in `ecdsa-sd-2023`: lines of canonical N-Quads with the labels of the
    /// proof.
    public let statements: [[UInt8]]

    /// The digest of the options, then in `ecdsa-sd-2023` the key of the statements, then the digest of the document.
    public var hashData: [UInt8] { optionsDigest + statementKey + documentDigest }

    init(document: CanonicalForm, options: [UInt8], statementKey: [UInt8] = [], statements: [[UInt8]] = []) {
        self.statementKey = statementKey
        self.statements = statements
        canonicalDocument = document.bytes
        documentDigest = document.digest
        hash = document.hash
        canonicalOptions = options
        optionsDigest = hash.digest(of: options)
    }
}

/// A document in canonical form, with its digest.
struct CanonicalForm {
    let bytes: [UInt8]
    let digest: [UInt8]
    let hash: HashAlgorithm

    init(_ bytes: [UInt8], _ hash: HashAlgorithm) {
        self.bytes = bytes
        self.hash = hash
        digest = hash.digest(of: bytes)
    }
}

/// Makes the canonical forms of a document and of its proofs.
///
/// The document is expanded once, and canonicalized once for each form that its proofs need. JSON that its proofs cover by
/// itself is not expanded where it has no contexts, or one that is unknown.
struct ProofInputs {
    private struct FormKey: Hashable {
        let canonicalization: ProofScheme.Canonicalization
        let hash: HashAlgorithm
        let statements: StatementForm
    }

    /// The document without its proofs.
    let document: JSONObject
    /// The document in expanded form, without its proofs; nil for JSON that is not expanded.
    let expanded: ExpandedDocument?
    let settings: LinkedDataSettings
    private var forms: [FormKey: CanonicalForm] = [:]

    /// Expands a document, in safe mode.
    init(_ document: JSONObject, _ settings: LinkedDataSettings) throws(LinkedDataError) {
        self.document = document
        self.settings = settings
        expanded = try settings.expand(document)
    }

    /// Takes JSON as it is.
    init(plain document: JSONObject, _ settings: LinkedDataSettings) {
        self.document = document
        self.settings = settings
        expanded = nil
    }

    /// Expands a document, unless it is JSON that the proofs of some suites cover by itself, and has no contexts or an unknown
    /// one.
    init(
        _ document: SecuredDocument,
        signedWith suites: [LinkedDataProofSuite],
        _ settings: LinkedDataSettings
    ) throws(LinkedDataError) {
        let members = document.unverifiedDocument
        let settings = document.isCoveredAsJSON(by: suites) ? settings.coveringJSON() : settings
        guard !document.isPlainJSON(signedWith: suites) else {
            self.init(plain: members, settings)
            return
        }
        do throws(LinkedDataError) {
            try self.init(members, settings)
        } catch {
            guard document.isCoveredAsJSON(by: suites), settings.unknownContext(of: members) != nil else {
                throw error
            }
            self.init(plain: members, settings)
        }
    }

    /// The bytes of a proof.
    ///
    /// - Parameters:
    ///   - options: The members of the proof without the signature.
    ///   - previous: The proofs that this one covers, in the order of the document.
    ///   - disclosure: The value of a derived proof; nil for a suite that signs the document as a whole.
    ///   - statements: The form of the statements; nil for the usual one.
    mutating func input(
        options: JSONObject,
        scheme: ProofScheme,
        hash: HashAlgorithm,
        covering previous: [JSONValue],
        disclosing disclosure: DerivedProofValue? = nil,
        as statements: StatementForm? = nil
    ) throws(LinkedDataError) -> LinkedDataProofInput {
        let statements = statements ?? StatementForm(languageTags: settings.options.languageTags)
        if let disclosure {
            let document = try expandedForm().with(languageTags: statements.languageTags)
            let (mandatory, signed) = try disclosure.statements(of: document, settings)
            return try input(options: options, mandatory: mandatory, signed: signed, key: disclosure.key)
        }
        let covered = try document(coveredBy: options, scheme.canonicalization)
        let form =
            if previous.isEmpty, covered == nil {
                try form(scheme.canonicalization, hash, statements)
            } else {
                try form(of: Self.with(previous, covered ?? document), scheme.canonicalization, hash, statements)
            }
        return LinkedDataProofInput(
            document: form,
            options: try canonical(options: options, scheme.canonicalization, hash, statements.controls)
        )
    }

    /// The bytes of a proof of `ecdsa-sd-2023` (Data Integrity ECDSA Cryptosuites 1.0, section 3.6.3).
    func input(
        options: JSONObject,
        mandatory: [[UInt8]],
        signed: [[UInt8]],
        key: StatementKey
    ) throws(LinkedDataError) -> LinkedDataProofInput {
        LinkedDataProofInput(
            document: CanonicalForm(Array(mandatory.joined()), .sha256),
            options: try canonical(options: options, .rdf, .sha256, .escaped),
            statementKey: key.bytes,
            statements: signed
        )
    }

    /// The document with the context of a proof, where contexts were added behind it (Data Integrity EdDSA and ECDSA
    /// Cryptosuites 1.0, sections 3.3.2, step 4); nil if the proof covers the document as it is.
    ///
    /// Additions are not covered, and must not give any term another meaning. An unknown one is refused: it would keep the
    /// document from being expanded.
    private func document(
        coveredBy options: JSONObject,
        _ canonicalization: ProofScheme.Canonicalization
    ) throws(LinkedDataError) -> JSONObject? {
        guard canonicalization == .json, let context = options["@context"], context != document["@context"] else {
            return nil
        }
        guard let own = document["@context"], Self.list(own).starts(with: Self.list(context)) else {
            throw LinkedDataError(.invalidProof, "the contexts of the document begin otherwise", path: ["@context"])
        }
        guard let expanded else {
            throw LinkedDataError(
                .invalidProof,
                "a context is unknown, and the proof does not cover all",
                path: ["@context"]
            )
        }
        let covered = withContext(context)
        guard try settings.expand(covered).value == expanded.value else {
            throw LinkedDataError(
                .invalidProof,
                "contexts that the proof does not cover change the document's meaning",
                path: ["@context"]
            )
        }
        return covered
    }

    /// The document that each of some verified proofs covers: with the fewest contexts.
    func document(coveredByAll proofs: [VerifiedLinkedDataProof]) -> JSONObject {
        let contexts = proofs.map(\.proof).filter { ProofScheme($0.suite)?.canonicalization == .json }
            .compactMap { $0.members["@context"] }
        let fewest = contexts.min { Self.list($0).count < Self.list($1).count }
        return fewest.map(withContext) ?? document
    }

    private func withContext(_ context: JSONValue) -> JSONObject {
        var members = document
        members["@context"] = context
        return members
    }

    private static func list(_ context: JSONValue) -> [JSONValue] { context.arrayValue ?? [context] }

    /// The canonical form of the document without proofs.
    private mutating func form(
        _ canonicalization: ProofScheme.Canonicalization,
        _ hash: HashAlgorithm,
        _ statements: StatementForm
    ) throws(LinkedDataError) -> CanonicalForm {
        let key = FormKey(canonicalization: canonicalization, hash: hash, statements: statements)
        if let form = forms[key] { return form }
        let bytes =
            switch canonicalization {
            case .rdf: try settings.canonical(expandedForm(), hash, statements)
            case .json: try Self.canonicalJSON(document)
            }
        let form = CanonicalForm(bytes, hash)
        forms[key] = form
        return form
    }

    private func expandedForm() throws(LinkedDataError) -> ExpandedDocument {
        if let expanded { return expanded }
        return try settings.expand(document)
    }

    /// The document with the proofs that another one covers (Data Integrity 1.0, section 4.3, step 5).
    private static func with(_ proofs: [JSONValue], _ document: JSONObject) -> JSONObject {
        guard !proofs.isEmpty else { return document }
        var members = document
        members["proof"] = .array(proofs)
        return members
    }

    private func form(
        of document: JSONObject,
        _ canonicalization: ProofScheme.Canonicalization,
        _ hash: HashAlgorithm,
        _ statements: StatementForm
    ) throws(LinkedDataError) -> CanonicalForm {
        switch canonicalization {
        case .rdf: return CanonicalForm(try settings.canonical(settings.expand(document), hash, statements), hash)
        case .json: return CanonicalForm(try Self.canonicalJSON(document), hash)
        }
    }

    private func canonical(
        options: JSONObject,
        _ canonicalization: ProofScheme.Canonicalization,
        _ hash: HashAlgorithm,
        _ controls: ControlCharacters
    ) throws(LinkedDataError) -> [UInt8] {
        guard canonicalization == .rdf else { return try Self.canonicalJSON(options) }
        var inContext = options
        inContext["@context"] = context(of: options)
        let expanded = try settings.expand(inContext)
        try ProofTerm.requireAgreement(of: expanded, with: options)
        let statements = StatementForm(languageTags: settings.options.languageTags, controls: controls)
        return try settings.canonical(expanded, hash, statements)
    }

    /// The context that a proof is read in: the document's, whatever the proof names itself.
    ///
    /// Proofs of the older suites bring the context of their suite where the document lacks it; it is read behind the document's.
    private func context(of options: JSONObject) -> JSONValue? {
        guard let own = options["@context"], options["cryptosuite"] == nil else { return document["@context"] }
        let added = Self.list(own).filter { value in value.stringValue.map(Self.suiteContexts.contains) ?? false }
        guard !added.isEmpty else { return document["@context"] }
        return .array((document["@context"].map(Self.list) ?? []) + added)
    }

    private static let suiteContexts: Set<String> = [
        "https://w3id.org/security/suites/ed25519-2018/v1", "https://w3id.org/security/suites/ed25519-2020/v1",
        "https://w3id.org/security/suites/jws-2020/v1",
    ]

    private static func canonicalJSON(_ object: JSONObject) throws(LinkedDataError) -> [UInt8] {
        do throws(JSONError) {
            return try JSONValue.object(object).canonicalized()
        } catch {
            throw LinkedDataError(.malformedDocument, "it has no canonical form", cause: error)
        }
    }
}

/// A member of proofs that verifiers act on, with the property that it stands for.
private enum ProofTerm {
    /// The vocabulary, and the prefix that the context of the data model 1.1 lacks where it defines RsaSignature2018.
    private static let security = ["https://w3id.org/security#", "sec:"]
    private static let properties: [(member: String, iris: [ExactText])] =
        [("created", ["http://purl.org/dc/terms/created"])]
        + [
            ("expires", "expiration"), ("challenge", "challenge"), ("domain", "domain"),
            ("proofPurpose", "proofPurpose"),
            ("verificationMethod", "verificationMethod"), ("previousProof", "previousProof"),
        ].map { member, name in (member, security.map { ExactText($0 + name) }) }

    /// Refuses a proof that says something by another name, or in another place, than its readers look for.
    ///
    /// The signature covers the graph: with `expires` written as an IRI, it would hold without an end.
    static func requireAgreement(
        of expanded: ExpandedDocument,
        with options: JSONObject
    ) throws(LinkedDataError) {
        var counts = [ExactText: Int](minimumCapacity: 16)
        var pending = [JSONValue](pending: expanded.value)
        while let value = pending.popLast() {
            if let elements = value.arrayValue { pending += elements }
            for (name, value) in value.objectValue ?? [:] where name != "@value" {
                counts[ExactText(name), default: 0] += 1
                pending.append(value)
            }
        }
        for keyword in ["@included", "@reverse"] where counts[ExactText(keyword)] != nil {
            throw LinkedDataError(.invalidProof, "the proof is described in a second place", path: [keyword])
        }
        for (member, iris) in properties {
            let count = iris.reduce(0) { $0 + counts[$1, default: 0] }
            guard count == (options.contains(member) ? 1 : 0) else {
                throw LinkedDataError(.invalidProof, "the graph says something else than the JSON", path: [member])
            }
        }
    }
}
