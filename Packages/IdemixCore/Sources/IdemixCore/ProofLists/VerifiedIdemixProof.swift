/// The content of one proof of a verified list.
public enum VerifiedIdemixProof: Hashable, Sendable {
    /// Attributes of a credential.
    case disclosure(VerifiedIdemixDisclosure)
    /// A commitment that an issuer may sign.
    case issuance(VerifiedIdemixCommitment)
}
