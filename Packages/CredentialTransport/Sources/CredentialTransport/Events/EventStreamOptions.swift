/// The options of an ``EventStream`` for connections and their repetition.
public struct EventStreamOptions: Hashable, Sendable {
    /// The limits for lines and events.
    public var limits: ServerSentEventLimits
    /// The time to wait before a new connection until the server sets another: 3 seconds by default.
    public var retryDelay: Duration
    /// The shortest time to wait before a new connection, whatever the server sets: 500 milliseconds by default.
    public var minimumRetryDelay: Duration
    /// The longest time to wait before a new connection, whatever the server asks for: 60 seconds by default.
    public var maximumRetryDelay: Duration
    /// The largest number of connections in a row that fail, or find the server not ready, before a stream begins: 8 by
    /// default.
    ///
    /// The wait doubles with each of them.
    public var maximumFailures: Int
    /// The largest number of redirects of a connection: 0 by default; the rules for the first URL hold for every target
    /// too.
    public var redirects: Int

    /// Options for general use, each property at its default.
    public static let `default` = EventStreamOptions()

    /// Sets the options; omitted ones have their defaults.
    public init(
        limits: ServerSentEventLimits = .default,
        retryDelay: Duration = .seconds(3),
        minimumRetryDelay: Duration = .milliseconds(500),
        maximumRetryDelay: Duration = .seconds(60),
        maximumFailures: Int = 8,
        redirects: Int = 0
    ) {
        self.limits = limits
        self.retryDelay = retryDelay
        self.minimumRetryDelay = minimumRetryDelay
        self.maximumRetryDelay = maximumRetryDelay
        self.maximumFailures = maximumFailures
        self.redirects = redirects
    }

    /// The time to wait before a new connection.
    ///
    /// - Parameters:
    ///   - delay: The time that the server set, or ``retryDelay``.
    ///   - failures: The number of connections in a row that failed.
    ///   - retryAfter: The time that the last of them asked for.
    func wait(_ delay: Duration, after failures: Int, atLeast retryAfter: Duration) -> Duration {
        var wait = bounded(delay)
        for _ in 0..<max(failures, 0) where wait < maximumRetryDelay { wait = bounded(wait * 2) }
        return max(wait, bounded(retryAfter))
    }

    private func bounded(_ delay: Duration) -> Duration {
        max(minimumRetryDelay, min(maximumRetryDelay, delay)).boundedForTimers
    }
}
