/// The algorithms that a wallet or a verifier supports for a format of credentials (OpenID4VP 1.0, appendix B).
///
/// An empty list restricts nothing: every algorithm is accepted.
public struct FormatAlgorithms: Hashable, Sendable {
    /// The algorithms of the issuer's signature: JOSE names, for mdocs the numbers of COSE as text.
    public var algorithms: [ExactText]
    /// The algorithms of the holder's signature, in the same form.
    public var holderAlgorithms: [ExactText]
    /// The proof types of linked-data credentials.
    public var proofTypes: [ExactText]
    /// The cryptosuites of linked-data credentials.
    public var cryptosuites: [ExactText]

    /// Sets the algorithms.
    public init(
        algorithms: [ExactText] = [],
        holderAlgorithms: [ExactText] = [],
        proofTypes: [ExactText] = [],
        cryptosuites: [ExactText] = []
    ) {
        self.algorithms = algorithms
        self.holderAlgorithms = holderAlgorithms
        self.proofTypes = proofTypes
        self.cryptosuites = cryptosuites
    }
}

extension FormatAlgorithms {
    /// Returns `true` if the issuer's signature is of a listed algorithm, and the holder's key can make one of a listed
    /// algorithm.
    ///
    /// Nothing is asked of a holder's key that the credential does not name.
    func accepts(_ credential: any QueryableCredential) -> Bool {
        guard algorithms.isEmpty || credential.issuerAlgorithms.contains(where: algorithms.contains),
            acceptsProof(credential.issuerAlgorithms)
        else { return false }
        guard !holderAlgorithms.isEmpty, let own = credential.holderAlgorithms else { return true }
        return own.contains(where: holderAlgorithms.contains)
    }

    /// Returns `true` if linked-data proofs with these types and cryptosuites are listed: one of the types and, where a
    /// proof has a cryptosuite, one of the cryptosuites.
    package func acceptsProof(_ names: [ExactText]) -> Bool {
        guard proofTypes.isEmpty || names.contains(where: proofTypes.contains) else { return false }
        guard !cryptosuites.isEmpty, names.contains(Self.dataIntegrityProof) else { return true }
        return names.contains(where: cryptosuites.contains)
    }

    /// The type of the proofs that have a cryptosuite.
    private static let dataIntegrityProof: ExactText = "DataIntegrityProof"
}

extension [CredentialFormat: FormatAlgorithms] {
    /// The algorithms for a format by any of its names; nil where nothing is said about it.
    func algorithms(for format: CredentialFormat) -> FormatAlgorithms? {
        switch format {
        case .sdJWT: self[.sdJWT] ?? self[.olderSDJWT]
        case .olderSDJWT: self[.olderSDJWT] ?? self[.sdJWT]
        case .jwt: self[.jwt] ?? self["jwt_vc"]
        default: self[format]
        }
    }

    /// Returns `true` if nothing is said about the credential's format, or its signatures are of listed algorithms.
    func accept(_ credential: any QueryableCredential) -> Bool {
        algorithms(for: credential.format)?.accepts(credential) ?? true
    }
}
