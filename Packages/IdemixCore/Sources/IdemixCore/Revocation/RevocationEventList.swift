public import CBORKit

/// Consecutive events in the short form in which they travel: indices and parents after the first follow from the rest.
///
/// The numbers of a received list are decoded lazily, after ``RevocationUpdate/verified(by:)`` has verified the
/// signature that covers them.
public struct RevocationEventList: Hashable, Sendable {
    /// The index of the first event.
    public let firstIndex: UInt64
    /// The parent of the first event.
    public let firstParent: RevocationEventHash
    /// The number of events.
    public let count: Int
    /// The CBOR array of the primes, as received.
    private let encodedPrimes: [UInt8]

    /// The largest number of events in a list that a message brings.
    ///
    /// Lists that are made of events, or joined of several messages, have no limit of their own: their events are in
    /// memory already.
    public static let maximumCount = 100_000

    /// Makes a list.
    ///
    /// - Throws: ``IdemixError/Code/limitExceeded`` for more than ``maximumCount`` events,
    ///   ``IdemixError/Code/invalidEventChain`` for primes or indices that no event can have.
    public init(firstIndex: UInt64, firstParent: RevocationEventHash, primes: [BigInteger]) throws(IdemixError) {
        try Self.check(count: primes.count, maximum: Self.maximumCount)
        try self.init(firstIndex: firstIndex, firstParent: firstParent, unlimited: primes)
    }

    /// Reads a list in CBOR, the form in which a revocation server sends events by ranges.
    ///
    /// Of the primes, it reads only their number.
    ///
    /// - Throws: ``IdemixError/Code/malformedCBOR``, and the errors of ``init(firstIndex:firstParent:primes:)``, except for
    ///   the primes.
    public init(decodingCBOR bytes: some Collection<UInt8>) throws(IdemixError) {
        self = try .read(bytes)
    }

    /// Makes a list of events that follow each other, as many as there are.
    ///
    /// - Throws: ``IdemixError/Code/invalidEventChain`` for no events, ones that do not follow each other, or primes that
    ///   no event can have.
    public init(_ events: some Collection<RevocationEvent>) throws(IdemixError) {
        guard let first = events.first else { throw IdemixError(.invalidEventChain, "there are no events") }
        var (index, parent) = (first.index, first.parent)
        for event in events {
            guard event.index == index, event.parent == parent else {
                throw IdemixError(
                    .invalidEventChain,
                    "event \(event.index) does not follow the one before",
                    path: ["events[\(event.index)]"]
                )
            }
            (index, parent) = (index &+ 1, event.hash)
        }
        try self.init(firstIndex: first.index, firstParent: first.parent, unlimited: events.map(\.prime))
    }

    /// The events of several lists that follow each other, as they come from a store or a server by ranges.
    ///
    /// Each list has its limit, the whole has none: fetch no more lists than an accumulator's verified index asks for.
    ///
    /// - Throws: ``IdemixError/Code/invalidEventChain`` for no events or lists that do not follow each other, and the
    ///   errors of ``primes()``.
    public init(joining lists: [RevocationEventList]) throws(IdemixError) {
        var events: [RevocationEvent] = []
        for list in lists { events += try list.events() }
        try self.init(events)
    }

    private init(
        firstIndex: UInt64,
        firstParent: RevocationEventHash,
        unlimited primes: [BigInteger]
    ) throws(IdemixError) {
        try Self.check(primes)
        var writer = CBORWriter()
        writer.beginArray(count: primes.count)
        for prime in primes { writer.write(bytes: prime.bytes) }
        try self.init(
            firstIndex: firstIndex,
            firstParent: firstParent,
            count: primes.count,
            encodedPrimes: writer.finish()
        )
    }

    private init(
        firstIndex: UInt64,
        firstParent: RevocationEventHash,
        count: Int,
        encodedPrimes: [UInt8]
    ) throws(IdemixError) {
        guard !firstIndex.addingReportingOverflow(UInt64(count)).overflow else {
            throw IdemixError(.invalidEventChain, "the indices are too large")
        }
        self.firstIndex = firstIndex
        self.firstParent = firstParent
        self.count = count
        self.encodedPrimes = encodedPrimes
    }

    /// The index of the last event, or nil for an empty list.
    public var lastIndex: UInt64? { count == 0 ? nil : firstIndex + UInt64(count - 1) }

    /// The primes.
    ///
    /// - Throws: ``IdemixError/Code/invalidNumber`` if an element of a received list is not a byte string,
    ///   ``IdemixError/Code/invalidEventChain`` if an element is not the number of an event.
    public func primes() throws(IdemixError) -> [BigInteger] {
        let primes: [BigInteger]
        do {
            // The number of events was checked where the list was read.
            primes = try CBORDocument(encodedPrimes, options: .unlimited(encodedPrimes.count)).root.array().map {
                BigInteger(bytes: try $0.bytes())
            }
        } catch {
            throw IdemixError(.invalidNumber, "an event's prime is no byte string", path: ["e"], cause: error)
        }
        try Self.check(primes)
        return primes
    }

    /// The events with indices and parents.
    ///
    /// - Throws: The errors of ``primes()``.
    public func events() throws(IdemixError) -> [RevocationEvent] {
        var events: [RevocationEvent] = []
        var parent = firstParent
        for (offset, prime) in try primes().enumerated() {
            let event = RevocationEvent(index: firstIndex + UInt64(offset), prime: prime, parent: parent)
            events.append(event)
            parent = event.hash
        }
        return events
    }

    private static func check(count: Int, maximum: Int) throws(IdemixError) {
        guard count <= maximum else { throw IdemixError(.limitExceeded, "\(count) events, \(maximum) allowed") }
    }

    private static func check(_ primes: [BigInteger]) throws(IdemixError) {
        guard primes.allSatisfy({ $0 == .one || $0 > 1 && $0 <= RevocationParameters.largestPrime }) else {
            throw IdemixError(.invalidEventChain, "an event's number is too large for a prime of a witness")
        }
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
        writer.write(encoded: encodedPrimes)
    }

    /// Reads the map `{"i", "hash", "e"}`.
    ///
    /// Of `e`, it reads only the number of events.
    ///
    /// - Throws: ``IdemixError`` as ``init(firstIndex:firstParent:primes:)``, except for the primes; `CBORError`.
    public init(cbor view: CBORView) throws {
        try self.init(cbor: view, maximumCount: Self.maximumCount)
    }

    /// Reads the map `{"i", "hash", "e"}` with up to so many events.
    init(cbor view: CBORView, maximumCount: Int) throws {
        let map = try view.map()
        let primes = try map.required("e")
        let count = try primes.array().count
        try Self.check(count: count, maximum: maximumCount)
        try self.init(
            firstIndex: try map.required("i").integer(),
            firstParent: RevocationEventHash(bytes: Array(map.required("hash").bytes())),
            count: count,
            encodedPrimes: Array(primes.encodedBytes)
        )
    }
}
