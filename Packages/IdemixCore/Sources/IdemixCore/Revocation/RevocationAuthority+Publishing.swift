import CBORKit

extension RevocationAuthority {
    /// The update to publish: the accumulator and the last events.
    ///
    /// - Parameter count: The largest number of events; an update with more than ``RevocationEventList/maximumCount`` is
    ///   refused by its readers, which fetch earlier events by ranges.
    public func update(lastEvents count: Int) throws(IdemixError) -> RevocationUpdate {
        let last = events.suffix(max(0, count))
        return RevocationUpdate(
            signedAccumulator: signedAccumulator,
            events: last.isEmpty ? nil : try RevocationEventList(last)
        )
    }

    /// The events of a range of indices, of which readers take up to ``RevocationEventList/maximumCount`` at a time.
    ///
    /// - Throws: ``IdemixError/Code/outOfRange`` for an empty range or events that this value does not know.
    public func events(in range: Range<UInt64>) throws(IdemixError) -> RevocationEventList {
        let first = events.first?.index ?? 0
        guard !range.isEmpty, range.lowerBound >= first, range.upperBound - 1 <= accumulator.index else {
            throw IdemixError(
                .outOfRange,
                "the events \(range), of which \(first) to \(accumulator.index) are known",
                path: ["events"]
            )
        }
        let start = Int(range.lowerBound - first)
        return try RevocationEventList(events[start..<(start + range.count)])
    }
}

extension RevocationAuthority {
    /// The accumulator with the last events, for storage; nothing in it is secret.
    ///
    /// Events that are stored elsewhere can be left out, all but the last, and joined again with
    /// ``RevocationUpdate/adding(earlierEvents:)``.
    ///
    /// - Parameter count: The largest number of events, at least 1.
    public func encoded(lastEvents count: Int = .max) throws(IdemixError) -> [UInt8] {
        try update(lastEvents: max(1, count)).cborEncoded()
    }

    /// Continues from stored state, after the signature and the chain of events have been verified.
    ///
    /// The store is the authority's own, so that the number of events has no limit but the size of the state, 2 GiB.
    ///
    /// - Throws: The errors of ``RevocationUpdate/init(decodingCBOR:)`` and ``init(keys:continuing:)``.
    public init(decoding bytes: some Collection<UInt8>, keys: IdemixIssuerKeyPair) throws(IdemixError) {
        try self.init(keys: keys, continuing: RevocationUpdate(stored: Array(bytes)))
    }
}
