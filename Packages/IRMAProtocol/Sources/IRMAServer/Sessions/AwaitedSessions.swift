import Synchronization

/// The open sessions of this process whose end a callback is to hear of, by the requestor's token, with their deadlines.
///
/// There are at most ``maximumCount``; of further ones, the end is told only when somebody asks for them.
final class AwaitedSessions: Sendable {
    /// The largest number of sessions.
    static let maximumCount = 100_000

    private struct State {
        /// The deadlines in milliseconds since 1970.
        var deadlines: [String: Int64] = [:]
        /// The time before which no deadline lies, so that the sessions are looked through only where one may be over.
        var earliest = Int64.max
    }

    private let state = Mutex(State())

    /// The number of sessions.
    var count: Int { state.withLock { $0.deadlines.count } }

    /// Waits for the end of a session.
    func add(_ token: String, until deadline: Int64) {
        state.withLock { state in
            guard state.deadlines[token] != nil || state.deadlines.count < Self.maximumCount else { return }
            state.deadlines[token] = deadline
            state.earliest = min(state.earliest, deadline)
        }
    }

    /// Waits no longer for a session, which has ended.
    func forget(_ token: String) {
        state.withLock { _ = $0.deadlines.removeValue(forKey: token) }
    }

    /// Takes the sessions whose deadline has come.
    func takeExpired(at now: Int64) -> [String] {
        state.withLock { state in
            guard state.earliest <= now else { return [] }
            let expired = state.deadlines.filter { $0.value <= now }.map(\.key)
            for token in expired { state.deadlines[token] = nil }
            state.earliest = state.deadlines.values.min() ?? .max
            return expired
        }
    }
}
