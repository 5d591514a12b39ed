public import CryptoCore
public import JOSEKit
public import JSONKit
import VerificationCore

/// Signs documents with linked-data proofs, in one step or in two.
///
/// ```swift
/// let prover = LinkedDataProver()
/// let options = LinkedDataProofOptions(verificationMethod: keyName, created: now)
/// let signed = try await prover.sign(credential, suite: .eddsaRDFC2022, options: options, with: signer)
/// ```
///
/// Safe mode is always on for JSON-LD: a term that the signature would not cover is an error that names it. The JCS
/// suites sign a document without `@context` as plain JSON, whose names need no meaning; such a document is no credential. They
/// also sign JSON-LD with a context that is neither at hand nor on the allow-list, whose terms are then not checked.
public struct LinkedDataProver: Sendable {
    let settings: LinkedDataSettings
    private let tolerances: Set<W3CCredentialTolerance>

    /// Makes a prover.
    ///
    /// - Parameters:
    ///   - processor: Expands documents; its contexts are those that documents may name.
    ///   - options: The options of JSON-LD. Where they turn safe mode off, it is on all the same, without tolerances; a
    ///     base URL does not count.
    ///   - canonicalization: Bounds of the canonicalization.
    ///   - disclosure: Bounds of selective disclosure.
    ///   - tolerances: The forms of credentials that are signed although verifiers take them by name alone; none by default.
    public init(
        processor: JSONLDProcessor = JSONLDProcessor(),
        options: JSONLDOptions = .proofs,
        canonicalization: CanonicalizationLimits = .default,
        disclosure: SelectiveDisclosureLimits = .default,
        tolerances: Set<W3CCredentialTolerance> = []
    ) {
        self.tolerances = tolerances
        settings = LinkedDataSettings(
            processor: processor,
            options: options,
            canonicalization: canonicalization,
            disclosure: disclosure
        )
    }

    /// Expands documents.
    @_spi(Layers) public var processor: JSONLDProcessor { settings.processor }

    /// The options of JSON-LD.
    @_spi(Layers) public var options: JSONLDOptions { settings.options }

    /// Prepares a proof for a signature that is made elsewhere.
    ///
    /// A document that has proofs keeps them, and gets one more.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - suite: The suite.
    ///   - options: The content of the proof.
    ///   - key: The public key that belongs to the signature.
    ///   - algorithm: The algorithm of a suite with a JWS: by default the key's natural one, PS256 for RSA in
    ///     `JsonWebSignature2020` and RS256 in `RsaSignature2018`.
    ///   - random: The source of the two keys that `ecdsa-sd-2023` makes for each proof; other suites take nothing from
    ///     it.
    /// - Throws: ``LinkedDataError/Code/unsupportedSuite``, ``LinkedDataError/Code/keyMismatch``,
    ///   ``LinkedDataError/Code/invalidProof`` for a previous proof that the document does not have,
    ///   ``LinkedDataError/Code/claimMismatch`` for a credential in a form that verifiers refuse,
    ///   ``LinkedDataError/Code/invalidCredential`` for one that is not exactly one node, and the codes of JSON-LD, of safe mode
    ///   and of limits.
    public func prepare(
        _ document: JSONObject,
        suite: LinkedDataProofSuite,
        options: LinkedDataProofOptions,
        for key: PublicKey,
        algorithm: JWSAlgorithm? = nil,
        using random: some RandomSource = .system
    ) throws(LinkedDataError) -> UnsignedLinkedDataProof {
        let secured = try SecuredDocument(json: document)
        guard let scheme = ProofScheme(suite) else {
            throw LinkedDataError(.unsupportedSuite, "\(suite) is not implemented", path: ["proof"])
        }
        let signing = try ProofSigning(scheme, suite, key, algorithm)
        var members = options.members(suite: suite)
        if scheme.isSelective {
            return try prepareBase(secured, members, options, signing, using: random)
        }
        guard options.mandatoryPointers == nil else {
            throw LinkedDataError(.invalidPointer, "\(suite) signs the document as a whole", path: ["proof"])
        }
        if scheme.canonicalization == .json, let context = document["@context"] { members["@context"] = context }
        var inputs = try ProofInputs(secured, signedWith: secured.proofs.map(\.suite) + [suite], settings)
        if scheme.canonicalization == .rdf { try requireForm(of: secured, inputs) }
        let previous = try secured.proofs(named: options.previousProofs)
        let input: LinkedDataProofInput
        do throws(LinkedDataError) {
            input = try inputs.input(
                options: members,
                scheme: scheme,
                hash: scheme.hash(for: key),
                covering: previous.map { .object($0.members) }
            )
        } catch {
            // A document that was expanded before is sound, so that the fault lies in its proofs.
            throw inputs.expanded == nil ? error : error.inside("proof")
        }
        return try UnsignedLinkedDataProof(input: input, members: members, signing: signing, document: secured)
    }

    /// Refuses a credential whose form only a signature over the JSON would cover.
    func requireForm(of document: SecuredDocument, _ inputs: ProofInputs) throws(LinkedDataError) {
        let types = document.unverifiedDocument["type"]?.elements ?? []
        guard types.contains(where: { $0.stringValue?.hasSameBytes(as: "VerifiableCredential") == true }),
            !document.proofs.contains(where: { ProofScheme($0.suite)?.canonicalization == .json }),
            let expanded = inputs.expanded
        else { return }
        let node = try ExpandedNode(expanded)
        let issuer = node.ids(of: CredentialsVocabulary.issuer).first ?? nil
        _ = try tolerances.deviations(of: node, written: expanded.otherForms, issuedBy: issuer)
    }

    /// Signs a document.
    ///
    /// - Parameters:
    ///   - document: The document; one that has proofs keeps them, and gets one more.
    ///   - suite: The suite.
    ///   - options: The content of the proof.
    ///   - signer: The key, wherever it lives.
    ///   - random: The source of the keys that `ecdsa-sd-2023` makes for each proof.
    /// - Throws: As for a prepared proof; ``LinkedDataError/Code/signingFailed`` if the signer fails or does not fit.
    public func sign(
        _ document: JSONObject,
        suite: LinkedDataProofSuite,
        options: LinkedDataProofOptions,
        with signer: any Signer,
        using random: some RandomSource = .system
    ) async throws(LinkedDataError) -> SecuredDocument {
        let unsigned = try prepare(
            document,
            suite: suite,
            options: options,
            for: signer.publicKey,
            algorithm: JWSAlgorithm(signer.algorithm, for: signer.publicKey),
            using: random
        )
        guard unsigned.algorithm == signer.algorithm else {
            throw LinkedDataError(
                .keyMismatch,
                "the signer signs with \(signer.algorithm), and the suite with \(unsigned.algorithm)"
            )
        }
        let signature: [UInt8]
        do {
            signature = try await signer.signature(for: unsigned.bytesToSign)
        } catch {
            throw LinkedDataError(.signingFailed, "the signer failed", cause: error)
        }
        return try unsigned.completed(with: signature)
    }
}

extension SecuredDocument {
    /// The proofs of some identifiers, in the order of the document.
    ///
    /// - Throws: ``LinkedDataError/Code/invalidProof`` for an identifier that no proof or more than one has.
    func proofs(named ids: [ExactText]) throws(LinkedDataError) -> [LinkedDataProof] {
        for id in ids where proofs.count(where: { $0.id == id }) != 1 {
            throw LinkedDataError(
                .invalidProof,
                "the document has not exactly one proof \(id)",
                path: ["previousProof"]
            )
        }
        return proofs.filter { proof in proof.id.map(ids.contains) ?? false }
    }
}
