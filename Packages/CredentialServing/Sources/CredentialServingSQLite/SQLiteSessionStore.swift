#if SQLite
public import CredentialServing
import GRDB
import SQLiteFiles
import Synchronization

/// Sessions in an SQLite file, for all processes of one machine.
///
/// A change is in the file when its call returns, and survives a crash of the process. Changes of other processes are
/// noticed by polling while ``run()`` runs. The file is readable by its owner only; wrap the store in an
/// `EncryptedSessionStore` where copies of the disk are a concern.
public final class SQLiteSessionStore: SessionStore {
    /// The sizes that the store takes.
    public let limits: SessionLimits
    private let options: SQLiteSessionOptions
    private let clock: SessionClock
    private let pool: DatabasePool
    private let name: String
    private let hub = SessionChangeHub()
    private let lifetime = StoreLifetime()

    /// Opens a file, or creates it.
    ///
    /// - Parameters:
    ///   - path: The path of the file, on a local disk. Two files beside it have the suffixes `-wal` and `-shm`.
    ///   - limits: The sizes that the store takes.
    ///   - options: Intervals and waits.
    ///   - clock: The time that decides which sessions are alive.
    /// - Throws: `SessionStoreError`: `invalidConfiguration` for a file of another kind, and for SQLite before 3.37;
    ///   `unavailable` if the file cannot be opened.
    public init(
        path: String,
        limits: SessionLimits = .default,
        options: SQLiteSessionOptions = .default,
        clock: SessionClock = .system
    ) throws(SessionStoreError) {
        let file = try SQLiteFile(path: path) { SessionStoreError(.invalidConfiguration, $0) }
        try SessionRecord.checkLibrary(number: Database.sqliteLibVersionNumber)
        self.limits = limits
        self.options = options
        self.clock = clock
        name = file.name
        try file.create { SessionStoreError(.unavailable, $0, path: [file.name]) }
        do {
            pool = try file.openPool(
                label: "sessions",
                busyTimeout: options.busyTimeout,
                // Deleted sessions are overwritten in the pages that are written anyway.
                pragmas: "PRAGMA secure_delete = FAST"
            ) { db in try SessionRecord.createTables(db, path: file.name) }
        } catch {
            throw SessionStoreError(sqlite: error, in: file.name)
        }
    }

    /// The number of readers of changes.
    public var subscriptionCount: Int { hub.subscriptionCount }

    /// Inserts a session.
    public func insert(_ entry: SessionEntry) async throws(SessionStoreError) {
        let now = clock.milliseconds
        try lifetime.check()
        try limits.checkInsertion(entry, at: now)
        try await write { db in try SessionRecord.insert(db, entry, at: now) }
        hub.signal(entry.key)
    }

    /// The live session of a key, or nil.
    public func entry(for key: SessionKey) async throws(SessionStoreError) -> SessionEntry? {
        let now = clock.milliseconds
        return try await read { db in try SessionRecord.entry(db, for: key, at: now) }
    }

    /// The live session that has a secondary key, or nil.
    public func entry(forSecondaryKey key: SessionKey) async throws(SessionStoreError) -> SessionEntry? {
        let now = clock.milliseconds
        return try await read { db in try SessionRecord.entry(db, forSecondaryKey: key, at: now) }
    }

    /// Replaces the value and the expiry of a session, if its version is still that of `entry`.
    @discardableResult
    public func swap(_ entry: SessionEntry) async throws(SessionStoreError) -> SessionEntry {
        let now = clock.milliseconds
        try lifetime.check()
        try limits.checkValue(entry, at: now)
        let swapped = try await write { db in try SessionRecord.swap(db, entry, at: now) }
        hub.signal(entry.key)
        return swapped
    }

    /// Deletes a session of a version, or of any, and frees its secondary keys.
    @discardableResult
    public func delete(_ key: SessionKey, version: SessionVersion?) async throws(SessionStoreError) -> Bool {
        let now = clock.milliseconds
        let isDeleted = try await write { db in try SessionRecord.delete(db, key, version: version, at: now) }
        if isDeleted { hub.signal(key) }
        return isDeleted
    }

    /// The states of a session after a version, each after it was committed.
    public func changes(of key: SessionKey, after version: SessionVersion?) -> SessionChanges {
        SessionChanges(of: key, after: version, hub: hub, clock: clock) { () throws(SessionStoreError) in
            try await self.entry(for: key)
        }
    }

    /// Throws an error if the store cannot serve at present: it writes, so that a full disk is noticed.
    public func check() async throws(SessionStoreError) {
        _ = try await write { db in try SessionRecord.touch(db) }
    }

    /// Removes all expired sessions, and returns their number.
    @discardableResult
    public func sweep() async throws(SessionStoreError) -> Int {
        var total = 0
        while true {
            let now = clock.milliseconds
            let batch = options.sweepBatch
            let count = try await write { db in try SessionRecord.sweep(db, atMost: batch, at: now) }
            total += count
            if count < batch { return total }
        }
    }

    /// Sweeps expired sessions and looks for changes of other processes.
    public func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                while await self.lifetime.sleep(for: self.options.sweepInterval, on: self.clock.timer) {
                    // A file that is busy is swept the next time.
                    _ = try? await self.sweep()
                }
            }
            group.addTask { await self.poll() }
        }
    }

    /// Signals all readers each time that another connection has changed the file.
    private func poll() async {
        var known: Int?
        while await lifetime.sleep(for: options.pollInterval, on: clock.timer) {
            guard hub.subscriptionCount > 0 else { continue }
            // The version counts changes of other connections as the writer's connection sees them.
            let version = try? await pool.writeWithoutTransaction { db in
                try Int.fetchOne(db, sql: "PRAGMA data_version")
            }
            guard let version, version != known else { continue }
            known = version
            hub.signalAll()
        }
    }

    /// Ends all sequences of changes and refuses everything from now on.
    public func close() async {
        guard lifetime.close() else { return }
        hub.close()
        // Work that is under way ends first; the last connection to the file removes the files beside it.
        try? await pool.barrierWriteWithoutTransaction { _ in }
        try? pool.close()
    }

    private func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(SessionStoreError) -> Value {
        try lifetime.check()
        do { return try await pool.write(body) } catch { throw SessionStoreError(sqlite: error, in: name) }
    }

    private func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(SessionStoreError) -> Value {
        try lifetime.check()
        do { return try await pool.read(body) } catch { throw SessionStoreError(sqlite: error, in: name) }
    }
}

extension SessionStoreError {
    /// The error of a store for one of the database.
    fileprivate init(sqlite error: any Error, in file: String) {
        if let error = error as? SessionStoreError {
            self = error
            return
        }
        switch SQLiteFailure(error).kind {
        case .cancelled: self.init(.cancelled, "the task was cancelled", path: [file])
        case .full: self.init(.full, "no room on the disk", path: [file], cause: error)
        case .damaged: self.init(.damaged, "the file is no sound database", path: [file], cause: error)
        case .closed: self.init(.closed, "the database is closed", path: [file], cause: error)
        default: self.init(.unavailable, "the database is busy or failed", path: [file], cause: error)
        }
    }
}

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

    /// Polls every 250 ms, sweeps 1,000 sessions at a time every 10 s, and waits 5 s for other writers.
    public static let `default` = SQLiteSessionOptions()

    /// Sets the options; omitted ones have their defaults.
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
