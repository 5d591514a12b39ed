/// One proof of a list.
public enum IdemixProof: Hashable, Sendable {
    /// Shows attributes of a credential.
    case disclosure(IdemixDisclosureProof)
    /// Commits to the secrets of a credential to be issued.
    case issuance(IssuanceCommitmentProof)

    /// The challenge c.
    public var challenge: BigInteger {
        switch self {
        case .disclosure(let proof): proof.challenge
        case .issuance(let proof): proof.challenge
        }
    }

    /// The response for the secret key, or nil if the proof has none.
    public var secretKeyResponse: BigInteger? {
        switch self {
        case .disclosure(let proof): proof.attributeResponses[0]
        case .issuance(let proof): proof.secretKeyResponse
        }
    }
}
