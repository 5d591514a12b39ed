package import IdemixCore

/// The intervals in which events are asked for: aligned, with lengths that are powers of two, so that answers can be cached.
package enum RevocationIntervals {
    /// The smallest number of events of an interval, and that of events that are asked for with an accumulator.
    package static let smallest: UInt64 = 16
    /// The largest number of events of an interval.
    package static let largest: UInt64 = 512

    /// The first of the intervals that cover a range, or nil for indices that are too large.
    package static func first(of range: Range<UInt64>) -> Range<UInt64>? {
        let start = range.lowerBound / smallest * smallest
        guard start < .max - largest else { return nil }
        var size = smallest
        while size < largest, start % (size * 2) == 0, start + size < range.upperBound { size *= 2 }
        return start..<start + size
    }
}

extension RevocationEventList {
    /// The events in front of an index.
    package func prefix(below index: UInt64) throws(IdemixError) -> RevocationEventList {
        guard let lastIndex, lastIndex >= index else { return self }
        let count = index - min(firstIndex, index)
        return try RevocationEventList(
            firstIndex: firstIndex,
            firstParent: firstParent,
            primes: Array(primes().prefix(Int(clamping: count)))
        )
    }
}
