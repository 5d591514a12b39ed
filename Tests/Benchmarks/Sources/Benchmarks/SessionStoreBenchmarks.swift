import CredentialServing
import CredentialServingRedis
import CredentialServingSQLite
import Foundation
import GRDB
import Harness
import Synchronization

/// Session stores beside the structure or the driver that each is made of.
enum SessionStoreBenchmarks: LayerBenchmarks {
    static let layer = "CredentialServing"

    private static let key = SessionKey("n5pLqMPv2yWx8sTtRkEc")
    private static let value = [UInt8](repeating: 7, count: 2000)

    static func run(_ stopwatch: Stopwatch, report: (Figure) -> Void) async throws {
        try await compareMemory(stopwatch, report)
        let folder = FileManager.default.temporaryDirectory.appending(path: "bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await compareSQLite(stopwatch, folder, report)
        try await compareRedis(stopwatch, folder, report)
    }

    private static func insert(in store: some SessionStore) async throws {
        try await store.insert(
            SessionEntry(
                key: key,
                secondaryKeys: [SessionKey("secondary")],
                value: value,
                expiry: Date() + 3600
            )
        )
    }

    /// One read of a session and one swap.
    nonisolated(nonsending) private static func getAndSwap(in store: some SessionStore) async throws {
        guard var entry = try await store.entry(for: key) else { return }
        entry.value = value
        try await store.swap(entry)
    }

    private static func compareMemory(_ stopwatch: Stopwatch, _ report: (Figure) -> Void) async throws {
        let store = MemorySessionStore()
        try await insert(in: store)
        let bare = Mutex([key: value])
        let comparison = try await stopwatch.compare(
            { try await getAndSwap(in: store) },
            withSynchronous: { bare.withLock { $0[key] = value } }
        )
        add("get and swap in memory, times a dictionary update under a lock", comparison.ratio, .atMost(5), report)
        add("get and swap in memory", comparison.nanosecondsOfA / 1000, unit: "µs", report)
    }

    private static func compareSQLite(
        _ stopwatch: Stopwatch,
        _ folder: URL,
        _ report: (Figure) -> Void
    ) async throws {
        let store = try SQLiteSessionStore(path: folder.appending(path: "sessions.sqlite").path)
        try await insert(in: store)
        let pool = try DatabasePool(path: folder.appending(path: "bare.sqlite").path)
        let (name, data) = (Data(key.bytes), Data(value))
        try await pool.write { db in
            try db.execute(sql: "CREATE TABLE bare (key BLOB PRIMARY KEY, value BLOB, version INTEGER)")
            try db.execute(sql: "INSERT INTO bare VALUES (?, ?, 1)", arguments: [name, data])
        }
        let comparison = try await stopwatch.compareRoundTrips(
            { try await getAndSwap(in: store) },
            with: {
                let version = try await pool.read { db in
                    let statement = try db.cachedStatement(sql: "SELECT value, version FROM bare WHERE key = ?")
                    let row = try Row.fetchOne(statement, arguments: [name])
                    blackHole(row?["value"] as Data?)
                    return row?["version"] as Int?
                }
                try await pool.write { db in
                    let sql = "UPDATE bare SET value = ?, version = version + 1 WHERE key = ? AND version = ?"
                    try db.cachedStatement(sql: sql).execute(arguments: [data, name, version])
                }
            }
        )
        add("get and swap in SQLite, times the same with GRDB", comparison.ratio, .atMost(1.3), report)
        add("get and swap in SQLite", comparison.nanosecondsOfA / 1000, unit: "µs", report)
        await store.close()
        try pool.close()
    }

    private static func compareRedis(_ stopwatch: Stopwatch, _ folder: URL, _ report: (Figure) -> Void) async throws {
        guard let server = try BareRedis.startServer(in: folder) else {
            print("CredentialServing: redis-server is not installed, its figures are left out")
            return
        }
        // A process that a thread of the concurrency pool started inherits its blocked signals.
        defer { kill(server.processIdentifier, SIGKILL) }
        let path = folder.appending(path: "socket").path
        let store = try RedisSessionStore(configuration: RedisSessionConfiguration(server: .unixSocket(path: path)))
        try await insert(in: store)
        var bare = try await BareRedis(path: path)
        try await bare.prepare(value: value)
        let comparison = try await stopwatch.compareRoundTrips(
            { try await getAndSwap(in: store) },
            with: { [bare] in try await bare.getAndSwap() }
        )
        add(
            "get and swap in Redis, times the same two round trips of swift-nio",
            comparison.ratio,
            .atMost(1.3),
            report
        )
        add("get and swap in Redis", comparison.nanosecondsOfA / 1000, unit: "µs", report)
        await store.close()
        try await bare.close()
    }

    private static func add(
        _ name: String,
        _ value: Double,
        _ bar: Bar? = nil,
        unit: String = "x",
        _ report: (Figure) -> Void
    ) {
        report(Figure(layer: layer, name: name, value: value, unit: unit, bar: bar))
    }
}
