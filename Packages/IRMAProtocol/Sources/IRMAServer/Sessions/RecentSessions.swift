import CredentialServing
import Synchronization

/// The values of open sessions that this process has written last, by their encoding, so that they need not be decoded again.
///
/// The store decides: a value counts only for the very bytes that it has there. Nothing is kept of a session that has ended, nor
/// for more than two minutes while other sessions are written.
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

    private struct State {
        var values: [Encoding: SessionRecord] = [:]
        /// Those that came before, which are forgotten next.
        var older: [Encoding: SessionRecord] = [:]
        /// The time of the first of the values in milliseconds since 1970.
        var start: Int64 = 0
    }

    private let state = Mutex(State())

    /// The session with an encoding, or nil.
    func record(_ bytes: [UInt8]) -> SessionRecord? {
        let key = Encoding(bytes: bytes)
        return state.withLock { $0.values[key] ?? $0.older[key] }
    }

    /// Keeps a session that was written.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - old: The session in whose place it was written; nil for a new one.
    ///   - now: The time in milliseconds since 1970.
    func keep(_ session: TypedSession<SessionRecord>, insteadOf old: SessionEntry? = nil, at now: Int64) {
        let key = Encoding(bytes: session.entry.value)
        state.withLock { state in
            if let old {
                let key = Encoding(bytes: old.value)
                if state.values.removeValue(forKey: key) == nil { state.older[key] = nil }
            }
            guard !session.value.status.isFinal, key.bytes.count <= Self.maximumSize else { return }
            if state.values.count >= Self.maximumCount || now - state.start >= Self.maximumAge {
                state.older = state.values
                state.values = [:]
                state.start = now
            }
            state.values[key] = session.value
        }
    }
}
