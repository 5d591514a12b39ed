/// The contributions of one proof to the challenge of its list.
public struct IdemixProofContributions: Hashable, Sendable {
    /// A' of a disclosure, U of an issuance.
    public let value: BigInteger
    /// The commitment Z~ or U~.
    public let commitment: BigInteger
    /// The commitments about revocation, then those about ranges.
    public let others: [BigInteger]

    /// Collects the numbers of a received message unchanged, because they are hashed.
    public init(value: BigInteger, commitment: BigInteger, others: [BigInteger] = []) {
        self.value = value
        self.commitment = commitment
        self.others = others
    }

    /// All of them in the order in which they are hashed.
    public var all: [BigInteger] { [value, commitment] + others }
}
