/// What one proof shows, after its list has been verified.
public enum VerifiedProof: Hashable, Sendable {
    /// Attributes of a credential.
    case disclosure(VerifiedDisclosure)
    /// A commitment that an issuer may sign.
    case issuance(VerifiedCommitment)
}
