#if SQLite
/// The settings of a store in an SQLite file.
public struct SQLiteSessionOptions: Sendable {
    /// The time between two looks for changes that other processes made.
    public var pollInterval: Duration
    /// The time between two sweeps of expired sessions.
    public var sweepInterval: Duration
    /// The largest number of sessions that a sweep removes in one transaction.
    public var sweepBatch: Int
    /// The time that a writer waits for writers of other processes before it is refused.
    public var busyTimeout: Duration

    /// A look every 250 ms, a sweep every 10 s of 1,000 sessions at a time, and 5 s for other writers.
    public static let `default` = SQLiteSessionOptions()

    /// Settings; those left out have their default.
    public init(
        pollInterval: Duration = .milliseconds(250),
        sweepInterval: Duration = .seconds(10),
        sweepBatch: Int = 1000,
        busyTimeout: Duration = .seconds(5)
    ) {
        self.pollInterval = pollInterval
        self.sweepInterval = sweepInterval
        self.sweepBatch = max(sweepBatch, 1)
        self.busyTimeout = busyTimeout
    }
}
#endif
