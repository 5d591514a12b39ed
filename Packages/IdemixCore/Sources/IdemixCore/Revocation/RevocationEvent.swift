/// One revocation: the prime that left the accumulator, linked to the event before.
public struct RevocationEvent: Hashable, Sendable {
    /// The number of the event; event 0 revokes nothing and has the prime 1.
    public let index: UInt64
    /// The prime of the revoked credential.
    public let prime: BigInteger
    /// The hash of the event before.
    public let parent: RevocationEventHash

    /// Describes an event.
    public init(index: UInt64, prime: BigInteger, parent: RevocationEventHash) {
        self.index = index
        self.prime = prime
        self.parent = parent
    }

    /// The event that every chain begins with.
    public static let first = RevocationEvent(index: 0, prime: 1, parent: .none)

    /// The hash that the next event refers to.
    public var hash: RevocationEventHash { RevocationEventHash(index: index, parent: parent, prime: prime) }
}
