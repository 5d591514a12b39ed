/// A holder's commitment of which the proof has been verified.
public struct VerifiedCommitment: Hashable, Sendable {
    /// U.
    public let value: BigInteger
    /// The base indices of the random-blind attributes.
    public let blindIndices: Set<Int>
}
