/// A verifier's prior knowledge about one proof of a list.
public enum IdemixProofExpectation: Sendable {
    /// A disclosure of a credential.
    case disclosure(IdemixDisclosureExpectation)
    /// A commitment for a credential to be issued.
    case issuance(IdemixIssuanceExpectation)

    var publicKey: IdemixIssuerPublicKey {
        switch self {
        case .disclosure(let expectation): expectation.publicKey
        case .issuance(let expectation): expectation.publicKey
        }
    }

    var keyshareServer: String? {
        switch self {
        case .disclosure(let expectation): expectation.keyshareServer
        case .issuance(let expectation): expectation.keyshareServer
        }
    }
}

/// An issuer's knowledge about the commitment for a credential.
public struct IdemixIssuanceExpectation: Sendable {
    /// The issuer's key that will sign.
    public var publicKey: IdemixIssuerPublicKey
    /// The base indices of the random-blind attributes.
    public var blindIndices: Set<Int>
    /// The keyshare server that holds a part of the secret key, or nil.
    public var keyshareServer: String?

    /// Describes a commitment that is expected.
    public init(publicKey: IdemixIssuerPublicKey, blindIndices: Set<Int> = [], keyshareServer: String? = nil) {
        self.publicKey = publicKey
        self.blindIndices = blindIndices
        self.keyshareServer = keyshareServer
    }
}
