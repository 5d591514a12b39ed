public import CBORKit

/// Consecutive events in the short form in which they travel: indices and parents after the first follow from the rest.
public struct RevocationEventList: Hashable, Sendable {
    /// The index of the first event.
    public let firstIndex: UInt64
    /// The parent of the first event.
    public let firstParent: EventHash
    /// The primes.
    public let primes: [BigInteger]

    /// How many events a list may have.
    public static let maximumCount = 100_000

    /// Makes a list.
    ///
    /// - Throws: ``IdemixError/Code/limitExceeded`` for more than ``maximumCount`` events,
    ///   ``IdemixError/Code/invalidEventChain`` for primes or indices that no event can have.
    public init(firstIndex: UInt64, firstParent: EventHash, primes: [BigInteger]) throws(IdemixError) {
        guard primes.count <= Self.maximumCount else {
            throw IdemixError(.limitExceeded, "\(primes.count) events, \(Self.maximumCount) allowed")
        }
        guard !firstIndex.addingReportingOverflow(UInt64(primes.count)).overflow else {
            throw IdemixError(.invalidEventChain, "the indices are too large")
        }
        guard primes.allSatisfy({ $0 == .one || $0 > 1 && $0 <= RevocationParameters.largestPrime }) else {
            throw IdemixError(.invalidEventChain, "an event's number is too large for a prime of a witness")
        }
        self.firstIndex = firstIndex
        self.firstParent = firstParent
        self.primes = primes
    }

    /// The events with indices and parents.
    public var events: [RevocationEvent] {
        var events: [RevocationEvent] = []
        var parent = firstParent
        for (offset, prime) in primes.enumerated() {
            let event = RevocationEvent(index: firstIndex + UInt64(offset), prime: prime, parent: parent)
            events.append(event)
            parent = event.hash
        }
        return events
    }
}

extension RevocationEventList: CBOREncodable, CBORDecodable {
    /// Writes the map `{"i", "hash", "e"}`.
    public func encode(to writer: inout CBORWriter) {
        writer.beginMap(count: 3)
        writer.write(text: "i")
        writer.write(unsigned: firstIndex)
        writer.write(text: "hash")
        writer.write(bytes: firstParent.bytes)
        writer.write(text: "e")
        writer.beginArray(count: primes.count)
        for prime in primes { writer.write(bytes: prime.bytes) }
    }

    /// Reads the map `{"i", "hash", "e"}`.
    public init(cbor view: CBORView) throws {
        let map = try view.map()
        let primes = try map.required("e").array()
        guard primes.count <= Self.maximumCount else {
            throw IdemixError(.limitExceeded, "\(primes.count) events, \(Self.maximumCount) allowed")
        }
        try self.init(
            firstIndex: try map.required("i").integer(),
            firstParent: EventHash(bytes: Array(map.required("hash").bytes())),
            primes: primes.map { BigInteger(bytes: try $0.bytes()) }
        )
    }
}
