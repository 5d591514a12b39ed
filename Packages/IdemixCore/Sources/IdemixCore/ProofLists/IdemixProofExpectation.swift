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
