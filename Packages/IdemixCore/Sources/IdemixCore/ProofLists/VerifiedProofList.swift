/// What a list of proofs shows, after all of it has been verified.
public struct VerifiedProofList: Hashable, Sendable {
    /// One for each proof, in the list's order.
    public let proofs: [VerifiedProof]
}
