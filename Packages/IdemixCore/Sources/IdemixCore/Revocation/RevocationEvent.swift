/// One revocation: the prime that left the accumulator, linked to the event before.
public struct RevocationEvent: Hashable, Sendable {
    /// The number of the event; event 0 revokes nothing and has the prime 1.
    public let index: UInt64
    /// The prime of the revoked credential.
    public let prime: BigInteger
    /// The hash of the event before.
    public let parent: EventHash

    /// Describes an event.
    public init(index: UInt64, prime: BigInteger, parent: EventHash) {
        self.index = index
        self.prime = prime
        self.parent = parent
    }

    /// The event that every chain begins with.
    public static let first = RevocationEvent(index: 0, prime: 1, parent: .none)

    /// The hash that the next event refers to.
    public var hash: EventHash { EventHash(index: index, parent: parent, prime: prime) }
}
