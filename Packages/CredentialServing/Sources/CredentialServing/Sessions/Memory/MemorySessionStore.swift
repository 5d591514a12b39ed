import Synchronization

/// The bounds of a store in memory.
public struct MemorySessionCapacity: Hashable, Sendable {
    /// The largest number of sessions that a sweep removes while it holds the lock.
    public static let sweepBatch = 1000

    /// The largest number of sessions.
    public var maximumEntries: Int
    /// The largest size of all keys and values in bytes, with 256 bytes for the bookkeeping of each session.
    public var maximumBytes: Int
    /// The time between two sweeps.
    public var sweepInterval: Duration

    /// 100,000 sessions and 256 MiB, swept every 10 seconds.
    public static let `default` = MemorySessionCapacity()

    /// Sets the bounds; omitted ones have their defaults.
    public init(
        maximumEntries: Int = 100_000,
        maximumBytes: Int = 256 << 20,
        sweepInterval: Duration = .seconds(10)
    ) {
        self.maximumEntries = maximumEntries
        self.maximumBytes = maximumBytes
        self.sweepInterval = sweepInterval
    }
}

/// The count of a sweep.
public struct SessionSweep: Hashable, Sendable {
    /// The number of sessions that were removed.
    public internal(set) var removed = 0
    /// The number of times that the lock was taken.
    public internal(set) var batches = 0
    /// The largest number of sessions that were removed under one lock.
    public internal(set) var largestBatch = 0
}

/// Sessions in the memory of one process, lost with it.
///
/// The store refuses new sessions when it is full rather than dropping live ones. An expired session is never returned,
/// swept or not; ``run()`` frees its memory.
public final class MemorySessionStore: SessionStore {
    /// The sizes that the store takes.
    public let limits: SessionLimits
    private let capacity: MemorySessionCapacity
    private let clock: SessionClock
    private let hub = SessionChangeHub()
    private let state: Mutex<MemorySessionState>
    private let lifetime = StoreLifetime()

    /// An empty store.
    ///
    /// - Parameters:
    ///   - limits: The sizes that the store takes.
    ///   - capacity: The bounds of the whole store.
    ///   - clock: The time that decides which sessions are alive.
    public init(
        limits: SessionLimits = .default,
        capacity: MemorySessionCapacity = .default,
        clock: SessionClock = .system
    ) {
        self.limits = limits
        self.capacity = capacity
        self.clock = clock
        state = Mutex(MemorySessionState(capacity))
    }

    /// `false`: the sessions end with the process.
    public var isShared: Bool { false }

    /// The number of sessions in memory, expired ones that were not swept included.
    public var count: Int { state.withLock { $0.count } }

    /// The number of readers of changes.
    public var subscriptionCount: Int { hub.subscriptionCount }

    /// Inserts a session.
    nonisolated(nonsending) public func insert(_ entry: SessionEntry) async throws(SessionStoreError) {
        try lifetime.check()
        let now = clock.milliseconds
        try limits.checkInsertion(entry, at: now)
        let removed = try state.withLock { state throws(SessionStoreError) in try state.insert(entry, at: now) }
        for key in removed { hub.signal(key) }
    }

    /// The live session of a key, or nil.
    nonisolated(nonsending) public func entry(for key: SessionKey) async throws(SessionStoreError) -> SessionEntry? {
        try lifetime.check()
        let now = clock.milliseconds
        return state.withLock { $0.entry(for: key, at: now) }
    }

    /// The live session that has a secondary key, or nil.
    nonisolated(nonsending) public func entry(
        forSecondaryKey key: SessionKey
    ) async throws(SessionStoreError) -> SessionEntry? {
        try lifetime.check()
        let now = clock.milliseconds
        return state.withLock { $0.entry(forSecondaryKey: key, at: now) }
    }

    /// Replaces the value and the expiry of a session, if its version is still that of `entry`.
    @discardableResult
    nonisolated(nonsending) public func swap(
        _ entry: consuming SessionEntry
    ) async throws(SessionStoreError) -> SessionEntry {
        try lifetime.check()
        let now = clock.milliseconds
        try limits.checkValue(entry, at: now)
        let version = try state.withLock { state throws(SessionStoreError) in try state.swap(entry, at: now) }
        hub.signal(entry.key)
        entry.advance(to: version)
        return entry
    }

    /// Deletes a session of a version, or of any, and frees its secondary keys.
    @discardableResult
    nonisolated(nonsending) public func delete(
        _ key: SessionKey,
        version: SessionVersion?
    ) async throws(SessionStoreError) -> Bool {
        try lifetime.check()
        let now = clock.milliseconds
        let isDeleted = try state.withLock { state throws(SessionStoreError) in
            try state.delete(key, version: version, at: now)
        }
        if isDeleted { hub.signal(key) }
        return isDeleted
    }

    /// The states of a session after a version, each after it was committed.
    public func changes(of key: SessionKey, after version: SessionVersion?) -> SessionChanges {
        SessionChanges(of: key, after: version, hub: hub, clock: clock) { () throws(SessionStoreError) in
            try await self.entry(for: key)
        }
    }

    /// Throws an error if the store cannot serve at present.
    public func check() async throws(SessionStoreError) {
        try lifetime.check()
    }

    /// Removes all expired sessions, at most ``MemorySessionCapacity/sweepBatch`` of them under one lock.
    @discardableResult
    public func sweep() async -> SessionSweep {
        var sweep = SessionSweep()
        var isFull = true
        while isFull, !Task.isCancelled {
            let now = clock.milliseconds
            let batch = state.withLock { $0.sweep(at: now) }
            isFull = batch.isFull
            sweep.removed += batch.keys.count
            sweep.batches += 1
            sweep.largestBatch = max(sweep.largestBatch, batch.keys.count)
            for key in batch.keys { hub.signal(key) }
            await Task.yield()
        }
        return sweep
    }

    /// Sweeps at the interval of the capacity until the task is cancelled or the store is closed.
    public func run() async {
        while await lifetime.sleep(for: capacity.sweepInterval, on: clock.timer) { await sweep() }
    }

    /// Ends all sequences of changes and refuses everything from now on.
    public func close() async {
        lifetime.close()
        hub.close()
    }
}
