import Synchronization

/// The deadlines of open sessions, by their names, for a process that ends them itself.
///
/// A store drops a session past its expiry without notice. A server that reports the end to a callback notes the deadline
/// with every change that it makes, so that it also ends sessions that another process has started:
///
/// ```swift
/// let clock = SessionClock.system
/// let deadlines = SessionDeadlines(maximumCount: 100_000)
/// deadlines.add("order 7", until: clock.milliseconds + 300_000)
/// for name in deadlines.takeExpired(at: clock.milliseconds) { print("\(name) has ended") }
/// ```
///
/// A session that was taken and could not be ended is added again.
///
/// The times are milliseconds since 1970, as of ``SessionClock/milliseconds``.
public final class SessionDeadlines: Sendable {
    private struct State {
        /// The deadlines by the names of sessions.
        var deadlines: [String: Int64] = [:]
        /// The time before which no deadline lies, so that the sessions are looked through only where one may be over.
        var earliest = Int64.max
    }

    private let state = Mutex(State())
    private let maximumCount: Int

    /// An empty list.
    ///
    /// - Parameter maximumCount: The largest number of sessions.
    public init(maximumCount: Int) {
        self.maximumCount = maximumCount
    }

    /// The number of sessions, with those whose deadline has come and that were not taken.
    public var count: Int { state.withLock { $0.deadlines.count } }

    /// Notes the deadline of a session, in place of an earlier one.
    ///
    /// - Returns: `false` if the session is new and there is no room for it.
    @discardableResult
    public func add(_ name: String, until deadline: Int64) -> Bool {
        state.withLock { state in
            guard state.deadlines.count < maximumCount || state.deadlines[name] != nil else { return false }
            state.deadlines[name] = deadline
            state.earliest = min(state.earliest, deadline)
            return true
        }
    }

    /// Forgets a session, which has ended.
    public func forget(_ name: String) {
        state.withLock { _ = $0.deadlines.removeValue(forKey: name) }
    }

    /// Takes the sessions whose deadline has come: they leave the list.
    public func takeExpired(at now: Int64) -> [String] {
        state.withLock { state in
            guard state.earliest <= now else { return [] }
            let expired = state.deadlines.filter { $0.value <= now }.map(\.key)
            for name in expired { state.deadlines[name] = nil }
            state.earliest = state.deadlines.values.min() ?? .max
            return expired
        }
    }
}
