@_spi(Layers) import CredentialTransport
import Synchronization

/// The deadlines of open sessions, kept in their store, so that a server can end the sessions of a process that is gone.
///
/// ``SessionDeadlines`` belong to one process, and are lost with it. The deadlines here are available to every process that
/// shares the store:
///
/// ```swift
/// let clock = SessionClock.system
/// let shared = SharedDeadlines(in: MemorySessionStore(), named: "orders", keeping: .seconds(300))
/// try await shared.add("order 7", until: clock.milliseconds + 300_000)
/// await shared.endExpired(at: clock.milliseconds) { name in print("\(name) has ended") }
/// ```
///
/// To add a deadline costs a read and a swap in the store, repeated if another writer came first. ``endExpired(at:_:)`` costs
/// sixteen reads for every second since its last call. The clocks of the processes may differ by the delay: a process whose clock
/// is further ahead ends the sessions of others early.
public final class SharedDeadlines: Sendable {
    private let store: any SessionStore
    private let name: String
    private let retention: Int64
    private let delay: Int64
    /// The second whose notes are looked at next; nil before the first look.
    private let next = Mutex<Int64?>(nil)

    /// The number of sessions of the store that share the notes of a second, so that writers seldom meet.
    private static let parts = 16
    private static let attempts = 64

    /// Deadlines in a store.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - name: The name of the list, which no other server uses in the store.
    ///   - retention: The time for which a note is kept after the deadline, and the time that a look goes back: an hour at most.
    ///   - delay: The time between a deadline and the look at its note, in which the session's own process ends it.
    public init(
        in store: any SessionStore,
        named name: String,
        keeping retention: Duration,
        after delay: Duration = .zero
    ) {
        self.store = store
        self.name = name
        self.retention = min(retention, .seconds(3600)).wholeMilliseconds
        self.delay = delay.wholeMilliseconds
    }

    private func key(_ second: Int64, _ part: Int) -> SessionKey { SessionKey("deadlines \(name) \(second) \(part)") }

    /// Notes the deadline of a session, beside earlier ones.
    ///
    /// - Parameters:
    ///   - session: The session's name.
    ///   - deadline: The deadline in milliseconds since 1970.
    public func add(_ session: String, until deadline: Int64) async throws(SessionStoreError) {
        let second = deadline / 1000
        let note = SessionKey(session)
        let key = key(second, note.bytes.reduce(0) { $0 + Int($1) } % Self.parts)
        let (end, isTooLate) = (second + 1).multipliedReportingOverflow(by: 1000)
        guard !isTooLate, end <= Int64.max - retention else {
            throw SessionStoreError(.invalidExpiry, "the deadline is too late")
        }
        for _ in 0..<Self.attempts {
            do throws(SessionStoreError) {
                guard var entry = try await store.entry(for: key) else {
                    try await store.insert(
                        SessionEntry(
                            key: key,
                            secondaryKeys: [],
                            value: SessionKeyList.encoded([note]),
                            expiryMilliseconds: end + retention,
                            version: .first()
                        )
                    )
                    return
                }
                let known = try SessionKeyList.decoded(entry.value)
                guard !known.contains(note) else { return }
                entry.value += SessionKeyList.encoded([note])
                try await store.swap(entry)
                return
            } catch {
                guard [.conflict, .keyExists, .notFound].contains(error.code) else { throw error }
            }
        }
        throw SessionStoreError(.tooManyAttempts, "other writers won \(Self.attempts) times")
    }

    /// Ends the sessions whose deadline has come since the last look, and removes their notes.
    ///
    /// The notes stay where the store or the closure fails, and the next look begins with them. Notes that cannot be read are left
    /// out. Several processes may look at one note, so that ending a session twice must be harmless.
    ///
    /// - Parameters:
    ///   - now: The time in milliseconds since 1970.
    ///   - end: Ends a session, if that has not happened yet.
    public func endExpired(at now: Int64, _ end: (String) async throws -> Void) async {
        // A second counts when all of it is over.
        let last = (now - delay) / 1000 - 1
        // A clock that was set back, or stood still for longer than notes are kept, starts anew.
        let first = last - retention / 1000
        var second = next.withLock { next in
            guard let next, next <= last + 1 else { return first }
            return max(next, first)
        }
        while second <= last, !Task.isCancelled {
            do {
                for part in 0..<Self.parts {
                    guard let entry = try await store.entry(for: key(second, part)) else { continue }
                    for note in (try? SessionKeyList.decoded(entry.value)) ?? [] {
                        try await end(String(decoding: note.bytes, as: UTF8.self))
                    }
                    // Another process may have removed it, and a damaged one expires.
                    _ = try? await store.delete(entry.key, version: entry.version)
                }
            } catch {
                return
            }
            second += 1
            next.withLock { [second] in $0 = second }
        }
    }
}

extension SharedDeadlines {
    /// The longest time without any process after which ends are still told.
    private static let longestAbsence = Duration.seconds(300)

    /// Deadlines of a server that keeps the results of its sessions for a time.
    ///
    /// The process of a session has 5 to 10 seconds to end it, another time in each process, so that seldom two look after one. A
    /// note is kept for five minutes. If results are kept for less, so is a note, and the process has half of that time at most.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - name: The name of the list, which no other server uses in the store.
    ///   - lifetime: The time for which results are kept.
    ///   - byte: A random byte, which makes this process's delay.
    public convenience init(
        in store: any SessionStore,
        named name: String,
        keepingResultsFor lifetime: Duration,
        spreadBy byte: UInt8
    ) {
        self.init(
            in: store,
            named: name,
            keeping: min(lifetime, Self.longestAbsence),
            after: min(.seconds(5) + .milliseconds(20 * Int(byte)), lifetime / 2)
        )
    }
}
