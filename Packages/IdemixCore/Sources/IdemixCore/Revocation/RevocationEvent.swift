import CryptoCore

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

/// The hash of a revocation event: a multihash, the bytes 12 20 in front of a SHA-256.
public struct RevocationEventHash: Hashable, Sendable {
    /// All 34 bytes.
    public let bytes: [UInt8]

    private static let prefix: [UInt8] = [0x12, 0x20]

    /// The parent hash of the first event: 32 zero bytes.
    public static let none = RevocationEventHash(digest: [UInt8](repeating: 0, count: 32))

    private init(digest: [UInt8]) {
        bytes = Self.prefix + digest
    }

    /// Reads a multihash.
    ///
    /// - Throws: ``IdemixError/Code/invalidEventChain`` unless it is a SHA-256.
    public init(bytes: [UInt8]) throws(IdemixError) {
        guard bytes.count == 34, bytes.starts(with: Self.prefix) else {
            throw IdemixError(.invalidEventChain, "not a multihash with SHA-256")
        }
        self.bytes = bytes
    }

    /// Hashes what an event consists of: 8 bytes of index, the parent's whole multihash, the bytes of the prime.
    init(index: UInt64, parent: RevocationEventHash, prime: BigInteger) {
        let index = (0..<8).map { UInt8(truncatingIfNeeded: index >> UInt64(56 - 8 * $0)) }
        self.init(digest: HashAlgorithm.sha256.digest(of: index + parent.bytes + prime.bytes))
    }
}
