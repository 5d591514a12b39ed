/// What a list of proofs shows, after all of it has been verified.
public struct VerifiedProofList: Hashable, Sendable {
    /// One for each proof, in the list's order.
    public let proofs: [VerifiedProof]
}

/// What one proof shows, after its list has been verified.
public enum VerifiedProof: Hashable, Sendable {
    /// Attributes of a credential.
    case disclosure(VerifiedDisclosure)
    /// A commitment that an issuer may sign.
    case issuance(VerifiedCommitment)
}

/// What a disclosure proof shows.
public struct VerifiedDisclosure: Hashable, Sendable {
    /// The integers of the disclosed attributes, by base index.
    public let attributes: [Int: BigInteger]
    /// The largest base index that the credential has.
    public let lastIndex: Int
    /// The accumulator that the credential is in, where that was proved.
    public let accumulator: Accumulator?
    /// The statements that were proved about hidden attributes, by base index, with the number of squares of each.
    public let rangeProofs: [Int: [RangeProof]]
}

/// A holder's commitment of which the proof has been verified.
public struct VerifiedCommitment: Hashable, Sendable {
    /// U.
    public let value: BigInteger
    /// The base indices of the random-blind attributes.
    public let blindIndices: Set<Int>
}
