extension Duration {
    /// The longest time that a timer waits for: about 136 years.
    @_spi(Layers) public static let longestWait = Duration.seconds(Int64(UInt32.max))

    /// The duration, or ``longestWait`` in place of a longer one.
    ///
    /// A clock adds the time that has passed, and ends the process where the sum has more seconds or nanoseconds than an integer
    /// holds: `.seconds(.max)` is one of them. Every time limit and interval from outside goes through here on its way to a timer.
    @_spi(Layers) public var boundedForTimers: Duration { min(self, .longestWait) }

    /// The duration in whole milliseconds, from 0 to those of ``longestWait``.
    @_spi(Layers) public var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = min(max(self, .zero), .longestWait).components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }
}
