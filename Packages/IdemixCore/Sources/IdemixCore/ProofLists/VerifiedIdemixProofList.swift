/// The content of a list of proofs that has been verified as a whole.
public struct VerifiedIdemixProofList: Hashable, Sendable {
    /// One for each proof, in the list's order.
    public let proofs: [VerifiedIdemixProof]
}
