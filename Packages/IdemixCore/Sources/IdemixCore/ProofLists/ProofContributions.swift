/// What one proof adds to the challenge of its list.
public struct ProofContributions: Hashable, Sendable {
    /// A' of a disclosure, U of an issuance.
    public let value: BigInteger
    /// The commitment Z~ or U~.
    public let commitment: BigInteger
    /// The commitments about revocation, then those about ranges.
    public let others: [BigInteger]

    /// All of them in the order in which they are hashed.
    public var all: [BigInteger] { [value, commitment] + others }
}
