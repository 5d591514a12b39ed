/// The progress of making or verifying a ``KeyProof``.
public struct KeyProofProgress: Hashable, Sendable {
    /// The steps, in their order.
    public enum Step: Hashable, Sendable, CaseIterable {
        /// The search for the prime of the group, and the secrets and their commitments (when proving).
        case preparation
        /// The commitments that are hashed to the challenge: nearly all of the work.
        case commitments
        /// The responses (when proving), or the proofs about the modulus (when verifying).
        case conclusion
    }

    /// The step.
    public let step: Step
    /// The number of its parts that are done.
    public let partsDone: Int
    /// The number of its parts.
    public let partCount: Int
}
