import CredentialServing
import Synchronization

/// A store in memory that keeps every key and value it was given, and in which other writers may win every time.
final class RecordingSessionStore: SessionStore {
    private let store = MemorySessionStore(clock: TestTime().clock)
    private let seen = Mutex<[[UInt8]]>([])
    let isContested = Mutex(false)

    var values: [[UInt8]] { seen.withLock { $0 } }
    var limits: SessionLimits { store.limits }

    func insert(_ entry: SessionEntry) async throws(SessionStoreError) {
        seen.withLock { $0 += [entry.key.bytes, entry.value] }
        try await store.insert(entry)
    }

    func entry(for key: SessionKey) async throws(SessionStoreError) -> SessionEntry? { try await store.entry(for: key) }

    func entry(forSecondaryKey key: SessionKey) async throws(SessionStoreError) -> SessionEntry? {
        try await store.entry(forSecondaryKey: key)
    }

    func swap(_ entry: SessionEntry) async throws(SessionStoreError) -> SessionEntry {
        seen.withLock { $0.append(entry.value) }
        guard !isContested.withLock(\.self) else { throw SessionStoreError(.conflict, "another writer was first") }
        return try await store.swap(entry)
    }

    func delete(_ key: SessionKey, version: SessionVersion?) async throws(SessionStoreError) -> Bool {
        try await store.delete(key, version: version)
    }

    func changes(of key: SessionKey, after version: SessionVersion?) -> SessionChanges {
        store.changes(of: key, after: version)
    }

    func check() async throws(SessionStoreError) { try await store.check() }
    func run() async { await store.run() }
    func close() async { await store.close() }
}
