#if SQLite
import CredentialServing
import CredentialServingSQLite
import Foundation
import GRDB
import ServingContracts
import Testing

@Suite struct SQLiteSessionStoreTests {
    private let time = SessionTestTime()

    private func entry(_ key: String, value: [UInt8] = [1], lifetime: TimeInterval = 60) -> SessionEntry {
        SessionEntry(
            key: SessionKey(key),
            secondaryKeys: [SessionKey("\(key) too")],
            value: value,
            expiry: time.date + lifetime
        )
    }

    @Test(arguments: SessionStoreLaw.all)
    func keeps(_ law: SessionStoreLaw) async throws {
        try await withFolder { folder in
            let stores = try (0..<2).map { _ in
                try SQLiteSessionStore(path: folder + "/sessions.sqlite", clock: time.clock)
            }
            let world = SessionStoreWorld(stores, time: time) { stores.map(\.subscriptionCount).reduce(0, +) }
            try await law.check(world)
        }
    }

    @Test(arguments: [(3_036_000, "3.36.0"), (3_008_011, "3.8.11"), (3_037_000, nil), (4_000_000, nil)])
    func refusesLibrariesWithoutStrictTables(version: CInt, name: String?) {
        do {
            try SessionRecord.checkLibrary(number: version)
            #expect(name == nil)
        } catch {
            #expect(error.code == .invalidConfiguration)
            #expect(name.map { error.message.contains("SQLite \($0) is too old") } == true)
        }
    }

    @Test func keepsSessionsWhenItIsOpenedAgain() async throws {
        try await withFolder { folder in
            let path = folder + "/sessions.sqlite"
            let first = try SQLiteSessionStore(path: path, clock: time.clock)
            try await first.insert(entry("a"))
            let (_, swapped) = try await first.update(SessionKey("a")) { $0.value = [2] }
            await first.close()
            let second = try SQLiteSessionStore(path: path, clock: time.clock)
            #expect(try await second.entry(forSecondaryKey: SessionKey("a too")) == swapped)
            await second.close()
        }
    }

    @Test func noticesAChangeOfAnotherConnectionAtItsInterval() async throws {
        try await withFolder { folder in
            let path = folder + "/sessions.sqlite"
            let store = try SQLiteSessionStore(path: path, clock: time.clock)
            let other = try SQLiteSessionStore(path: path, clock: time.clock)
            let first = entry("a")
            try await store.insert(first)
            var changes = store.changes(of: first.key).makeAsyncIterator()
            #expect(try await changes.next() == first)
            let run = Task { await store.run() }
            // The sweep and the look for changes.
            await time.waitForSleepers(2)
            #expect(time.durations.sorted() == [.milliseconds(250), .seconds(10)])
            let swapped = try await other.swap(first)
            let next = Task { [changes] in
                var changes = changes
                return try await changes.next()
            }
            // The reader waits too, until the session expires.
            await time.waitForSleepers(3)
            time.tick(.milliseconds(249))
            #expect(time.durations.filter { $0 == .milliseconds(250) }.count == 1)
            time.tick(.milliseconds(1))
            #expect(try await next.value == swapped)
            await store.close()
            await other.close()
            await run.value
        }
    }

    @Test func sweepsExpiredSessionsInBatches() async throws {
        try await withFolder { folder in
            let path = folder + "/sessions.sqlite"
            let store = try SQLiteSessionStore(
                path: path,
                options: SQLiteSessionOptions(sweepBatch: 4),
                clock: time.clock
            )
            for index in 0..<10 { try await store.insert(entry("\(index)", lifetime: 1)) }
            try await store.insert(entry("live"))
            time.advance(by: .seconds(1))
            #expect(try await store.sweep() == 10)
            #expect(try await store.sweep() == 0)
            await store.close()
            let counts = try await DatabaseQueue(path: path).read { db in
                try ["sessions", "secondary_keys"].map { try Int.fetchOne(db, sql: "SELECT count(*) FROM \($0)") }
            }
            #expect(counts == [1, 1])
        }
    }

    @Test func makesAFileForItsOwnerAlone() async throws {
        try await withFolder { folder in
            let store = try SQLiteSessionStore(path: folder + "/sessions.sqlite", clock: time.clock)
            try await store.insert(entry("a"))
            for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
                let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/" + name)
                #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
            }
            await store.close()
        }
    }

    @Test func refusesFilesOfAnotherKind() async throws {
        try await withFolder { folder in
            let path = folder + "/other.sqlite"
            try await DatabaseQueue(path: path).write { db in try db.execute(sql: "CREATE TABLE other (id)") }
            expectStoreError(.invalidConfiguration) { try SQLiteSessionStore(path: path) }
            // The number of its layout is that of other stores, too.
            try await DatabaseQueue(path: path).write { db in try db.execute(sql: "PRAGMA user_version = 1") }
            expectStoreError(.invalidConfiguration) { try SQLiteSessionStore(path: path) }
            try Data(repeating: 7, count: 8192).write(to: URL(fileURLWithPath: folder + "/text"))
            expectStoreError(.damaged) { try SQLiteSessionStore(path: folder + "/text") }
            expectStoreError(.unavailable) { try SQLiteSessionStore(path: folder + "/missing/sessions.sqlite") }
            for path in ["", ":memory:", "file:sessions.sqlite"] {
                expectStoreError(.invalidConfiguration) { try SQLiteSessionStore(path: path) }
            }
        }
    }

    @Test func refusesASessionWithMalformedKeys() async throws {
        try await withFolder { folder in
            let path = folder + "/sessions.sqlite"
            let store = try SQLiteSessionStore(path: path, clock: time.clock)
            try await store.insert(entry("a"))
            try await DatabaseQueue(path: path).write { db in
                try db.execute(sql: "UPDATE sessions SET secondary = x'00000009ff'")
            }
            do throws(SessionStoreError) {
                _ = try await store.entry(for: SessionKey("a"))
                Issue.record("is not refused")
            } catch {
                #expect(error.code == .damaged)
            }
            await store.close()
        }
    }

    @Test(arguments: [Duration.seconds(25 * 86_400), .seconds(Int64.max), .seconds(-1)])
    func takesAnyBusyTimeout(_ timeout: Duration) async throws {
        try await withFolder { folder in
            let store = try SQLiteSessionStore(
                path: folder + "/sessions.sqlite",
                options: SQLiteSessionOptions(busyTimeout: timeout),
                clock: time.clock
            )
            try await store.insert(entry("a"))
            await store.close()
        }
    }

    @Test func isUnavailableWhileAnotherConnectionHoldsTheFile() async throws {
        try await withFolder { folder in
            let path = folder + "/sessions.sqlite"
            let store = try SQLiteSessionStore(
                path: path,
                options: SQLiteSessionOptions(busyTimeout: .zero),
                clock: time.clock
            )
            var configuration = Configuration()
            configuration.allowsUnsafeTransactions = true
            let other = try DatabaseQueue(path: path, configuration: configuration)
            try await other.holdingTheWriteLock {
                do throws(SessionStoreError) {
                    try await store.insert(entry("a"))
                    Issue.record("is not refused")
                } catch {
                    #expect(error.code == .unavailable)
                }
            }
            try await store.insert(entry("a"))
            await store.close()
        }
    }
}

extension DatabaseQueue {
    /// Runs a function while a transaction of this connection keeps all other writers out.
    fileprivate func holdingTheWriteLock(_ body: () async throws -> Void) async throws {
        try await writeWithoutTransaction { db in try db.execute(sql: "BEGIN IMMEDIATE; DELETE FROM secondary_keys") }
        try await body()
        try await writeWithoutTransaction { db in try db.execute(sql: "ROLLBACK") }
    }
}

/// Runs a function with a new folder, and removes the folder.
func withFolder(_ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "sessions-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder.path)
}

/// Runs what must be refused.
func expectStoreError<Value>(
    _ code: SessionStoreError.Code,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Value
) {
    do {
        _ = try body()
        Issue.record("is not refused", sourceLocation: sourceLocation)
    } catch let error as SessionStoreError {
        #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
    } catch {
        Issue.record(error, sourceLocation: sourceLocation)
    }
}
#endif
