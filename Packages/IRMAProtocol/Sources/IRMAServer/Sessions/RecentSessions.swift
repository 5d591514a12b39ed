import CredentialServing
import Synchronization

/// The values of open sessions that this process has written last, by their encoding, so that they need not be decoded again.
///
/// The store decides: a value counts only for the very bytes that it has there. Nothing is kept of a session that has ended. One
/// that times out goes when any session is read or written after it, and any goes after two minutes while others are written.
final class RecentSessions: Sendable {
    /// The largest number of sessions that come before older ones are forgotten.
    static let maximumCount = 1024
    /// The longest time in milliseconds before older ones are forgotten.
    static let maximumAge: Int64 = 60_000
    /// The largest size of an encoding in bytes; larger sessions are decoded each time.
    static let maximumSize = 8 << 10

    /// An encoding, which begins with the session's token.
    private struct Encoding: Hashable {
        let bytes: [UInt8]

        func hash(into hasher: inout Hasher) {
            for byte in bytes.prefix(48) { hasher.combine(byte) }
        }
    }

    private struct Kept {
        let record: SessionRecord
        /// The time at which the session times out, in milliseconds since 1970.
        let deadline: Int64
    }

    private struct State {
        var values: [Encoding: Kept] = [:]
        /// Those that came before, which are forgotten next.
        var older: [Encoding: Kept] = [:]
        /// The time of the first of the values in milliseconds since 1970.
        var start: Int64 = 0
        /// A time before which no session times out, in milliseconds since 1970.
        var nextDeadline = Int64.max

        /// Forgets the sessions that have timed out, about once a second at most.
        mutating func forgetTimedOut(at now: Int64) {
            guard now >= nextDeadline else { return }
            values = values.filter { $0.value.deadline > now }
            older = older.filter { $0.value.deadline > now }
            let deadlines = [values, older].lazy.flatMap(\.values).map(\.deadline)
            nextDeadline = deadlines.min().map { max($0, now + 1000) } ?? .max
        }
    }

    private let state = Mutex(State())

    /// The number of sessions that are kept.
    var count: Int { state.withLock { $0.values.count + $0.older.count } }

    /// The session with an encoding, or nil.
    ///
    /// - Parameters:
    ///   - bytes: The encoding.
    ///   - now: The time in milliseconds since 1970.
    func record(_ bytes: [UInt8], at now: Int64) -> SessionRecord? {
        let key = Encoding(bytes: bytes)
        return state.withLock { state in
            state.forgetTimedOut(at: now)
            return (state.values[key] ?? state.older[key])?.record
        }
    }

    /// Keeps a session that was written.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - old: The session in whose place it was written; nil for a new one.
    ///   - deadline: The time at which the session times out, in milliseconds since 1970; nil for one that has ended.
    ///   - now: The time in milliseconds since 1970.
    func keep(
        _ session: TypedSession<SessionRecord>,
        insteadOf old: SessionEntry? = nil,
        until deadline: Int64?,
        at now: Int64
    ) {
        let key = Encoding(bytes: session.entry.value)
        state.withLock { state in
            state.forgetTimedOut(at: now)
            if let old {
                let key = Encoding(bytes: old.value)
                if state.values.removeValue(forKey: key) == nil { state.older[key] = nil }
            }
            guard let deadline, deadline > now, key.bytes.count <= Self.maximumSize else { return }
            if state.values.count >= Self.maximumCount || now - state.start >= Self.maximumAge {
                state.older = state.values
                state.values = [:]
                state.start = now
            }
            state.values[key] = Kept(record: session.value, deadline: deadline)
            state.nextDeadline = min(state.nextDeadline, deadline)
        }
    }
}
