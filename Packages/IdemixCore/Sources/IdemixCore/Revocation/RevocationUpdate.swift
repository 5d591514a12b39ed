public import CBORKit

/// A revocation authority's publication: its newest accumulator, and the last events before it.
public struct RevocationUpdate: Hashable, Sendable {
    /// The newest accumulator.
    public let signedAccumulator: SignedAccumulator
    /// The events up to it, or nil if the accumulator was only signed anew.
    public let events: RevocationEventList?

    /// Keeps a received update; ``verified(by:)`` checks it.
    public init(signedAccumulator: SignedAccumulator, events: RevocationEventList?) {
        self.signedAccumulator = signedAccumulator
        self.events = events
    }

    /// Reads an update in CBOR, the form in which a revocation server sends it; nothing in it is verified.
    ///
    /// - Throws: ``IdemixError/Code/malformedCBOR``, and the errors of ``RevocationEventList``.
    public init(decodingCBOR bytes: some Collection<UInt8>) throws(IdemixError) {
        self = try .read(bytes)
    }

    /// The same update with events in front of its own, as a server gives them by ranges.
    ///
    /// ``verified(by:)`` checks all of them together.
    ///
    /// - Parameter lists: The earlier events in order; without events of its own, the update takes all of them from here.
    /// - Throws: The errors of ``RevocationEventList/init(joining:)``.
    public func adding(earlierEvents lists: [RevocationEventList]) throws(IdemixError) -> RevocationUpdate {
        RevocationUpdate(
            signedAccumulator: signedAccumulator,
            events: try RevocationEventList(joining: lists + (events.map { [$0] } ?? []))
        )
    }

    /// The update's content, after all of it has been checked.
    ///
    /// The checks in order: the accumulator's signature verifies; the last event has the accumulator's index; the
    /// events form a chain; the hash of the last event is the one in the accumulator. Without events, only the
    /// signature is checked. The events are decoded after the signature and the index have been checked.
    ///
    /// - Throws: The errors of ``SignedAccumulator/verified(by:)`` and ``RevocationEventList/primes()``,
    ///   ``IdemixError/Code/invalidEventChain``.
    public func verified(by publicKey: IdemixIssuerPublicKey) throws(IdemixError) -> VerifiedRevocationUpdate {
        let accumulator = try signedAccumulator.verified(by: publicKey)
        if let lastIndex = events?.lastIndex, lastIndex != accumulator.index {
            throw IdemixError(
                .invalidEventChain,
                "the last event has index \(lastIndex), the accumulator \(accumulator.index)"
            )
        }
        let events = try events?.events() ?? []
        if let last = events.last, last.hash != accumulator.eventHash {
            throw IdemixError(.invalidEventChain, "the last event's hash is not the accumulator's")
        }
        return VerifiedRevocationUpdate(
            accumulator: accumulator,
            signedAccumulator: signedAccumulator,
            events: events,
            keyCounter: publicKey.counter
        )
    }
}

extension RevocationUpdate: CBOREncodable, CBORDecodable {
    /// Writes the map `{"sacc", "e"}`, without `e` where there are no events.
    public func encode(to writer: inout CBORWriter) {
        writer.beginMap(count: events == nil ? 1 : 2)
        writer.write(text: "sacc")
        writer.write(signedAccumulator)
        guard let events else { return }
        writer.write(text: "e")
        writer.write(events)
    }

    /// Reads the map `{"sacc", "e"}`; nothing in it is verified.
    public init(cbor view: CBORView) throws {
        try self.init(cbor: view, maximumEvents: RevocationEventList.maximumCount)
    }

    /// Reads the map `{"sacc", "e"}` with up to so many events; nothing in it is verified.
    private init(cbor view: CBORView, maximumEvents: Int) throws {
        let map = try view.map()
        let events = map.value(forKey: "e").flatMap { $0.isNull ? nil : $0 }
        self.init(
            signedAccumulator: try SignedAccumulator(cbor: try map.required("sacc")),
            events: try events.map { try RevocationEventList(cbor: $0, maximumCount: maximumEvents) }
        )
    }

    /// Reads an update from its owner's store, with as many events as there are; nothing in it is verified.
    ///
    /// - Throws: The errors of ``init(decodingCBOR:)``, except for the number of events.
    init(stored bytes: [UInt8]) throws(IdemixError) {
        do {
            let document = try CBORDocument(bytes, options: .unlimited(bytes.count))
            try self.init(cbor: document.root, maximumEvents: .max)
        } catch {
            throw IdemixError(reading: error)
        }
    }
}

extension CBORReadingOptions {
    /// Limits that an input of so many bytes cannot pass, up to the largest size that CBORKit reads.
    static func unlimited(_ byteCount: Int) -> CBORReadingOptions {
        var options = CBORReadingOptions.default
        options.limits.size = byteCount
        options.limits.items = byteCount
        return options
    }
}

extension CBORDecodable {
    /// Reads a value from its CBOR.
    ///
    /// - Throws: ``IdemixError/Code/malformedCBOR``, or the type's own error.
    static func read(_ bytes: some Collection<UInt8>) throws(IdemixError) -> Self {
        do {
            return try Self(cbor: CBORDocument(Array(bytes)).root)
        } catch {
            throw IdemixError(reading: error)
        }
    }
}

extension IdemixError {
    /// The error of a type that read its CBOR, or ``Code/malformedCBOR``.
    fileprivate init(reading error: any Error) {
        self = error as? IdemixError ?? IdemixError(.malformedCBOR, "not the CBOR of this value", cause: error)
    }
}

/// An update of which signature and event chain have been verified.
public struct VerifiedRevocationUpdate: Hashable, Sendable {
    /// The newest accumulator.
    public let accumulator: RevocationAccumulator
    /// The same as it was signed.
    public let signedAccumulator: SignedAccumulator
    /// The events up to it; none if the accumulator was only signed anew.
    public let events: [RevocationEvent]
    /// The counter of the issuer's key.
    public let keyCounter: UInt
}
