import CredentialServing
import Synchronization

/// A store in memory of which one change fails, or an insertion; a task that was cancelled deletes nothing, as in a database.
final class BreakingSessionStore: SessionStore {
    private let base: MemorySessionStore
    private let swapsUntilFailure = Mutex(0)
    private let isFull = Mutex(false)

    init(_ clock: SessionClock) { base = MemorySessionStore(clock: clock) }

    /// The number of the change to come that fails, from 1 on.
    func fail(at number: Int) { swapsUntilFailure.withLock { $0 = number } }

    /// Lets every insertion fail, or none.
    func failInsertions(_ isFull: Bool) { self.isFull.withLock { $0 = isFull } }

    var limits: SessionLimits { base.limits }
    func insert(_ entry: SessionEntry) async throws(SessionStoreError) {
        guard !isFull.withLock({ $0 }) else { throw SessionStoreError(.unavailable, "away") }
        try await base.insert(entry)
    }
    func entry(for key: SessionKey) async throws(SessionStoreError) -> SessionEntry? { try await base.entry(for: key) }
    func entry(forSecondaryKey key: SessionKey) async throws(SessionStoreError) -> SessionEntry? {
        try await base.entry(forSecondaryKey: key)
    }

    func swap(_ entry: SessionEntry) async throws(SessionStoreError) -> SessionEntry {
        let number = swapsUntilFailure.withLock { number in
            defer { number -= 1 }
            return number
        }
        guard number != 1 else { throw SessionStoreError(.unavailable, "away") }
        return try await base.swap(entry)
    }

    func delete(_ key: SessionKey, version: SessionVersion?) async throws(SessionStoreError) -> Bool {
        guard !Task.isCancelled else { throw SessionStoreError(.unavailable, "the task was cancelled") }
        return try await base.delete(key, version: version)
    }

    func changes(of key: SessionKey, after version: SessionVersion?) -> SessionChanges {
        base.changes(of: key, after: version)
    }

    func check() async throws(SessionStoreError) { try await base.check() }
    func run() async { await base.run() }
    func close() async { await base.close() }
}
