#if SQLite && os(Linux)
import CredentialServing
import CredentialServingSQLite
import Foundation
import GRDB
import SQLiteTesting
import Testing

/// A process that is killed while it writes, at one step after the other.
@Suite(.serialized) struct SQLiteCrashTests {
    /// The date of all sessions' time, long before they expire.
    private static let start = Date(timeIntervalSince1970: 1_800_000_000)
    private static let key = SessionKey("counter")

    /// The writer makes this number of swaps, with an insertion and a deletion beside each.
    private static let rounds = 4

    private static func store(_ folder: String) throws -> SQLiteSessionStore {
        let clock = SessionClock(now: { start }, timer: ContinuousClock())
        return try SQLiteSessionStore(path: folder + "/sessions.sqlite", clock: clock)
    }

    @Test(.timeLimit(.minutes(5)))
    func survivesAKillAtAnyWrite() async throws {
        var kills = 0
        var step = 1
        var isComplete = false
        while !isComplete {
            let count = step
            try await withFolder { folder in
                let outcome = await #expect(processExitsWith: .failure) {
                    [folder = folder as String, count = count as Int] in
                    try await Self.write(in: folder, killedAt: count)
                }
                let exit = try #require(outcome).exitStatus
                isComplete = exit == .exitCode(Self.completeExit)
                if !isComplete {
                    #expect(exit == .signal(SIGKILL))
                    kills += 1
                }
                try await Self.verify(folder)
            }
            // Every early step, and then ever wider strides to the last one.
            step += 1 + step / 16
        }
        print("sqlite: killed at \(kills) steps of a writer, nothing that was acknowledged is lost")
        #expect(kills >= 20)
    }

    private static let completeExit: Int32 = 3

    /// The work of the process that is killed: it notes each change that was acknowledged.
    private static func write(in folder: String, killedAt step: Int) async throws {
        guard FileManager.default.createFile(atPath: folder + "/acknowledged", contents: nil) else { exit(1) }
        let note = FileHandle(forWritingAtPath: folder + "/acknowledged")
        let store = try store(folder)
        WriteCalls.killAfter(step)
        try await store.insert(SessionEntry(key: key, value: [1], expiry: start + 60))
        try note?.write(contentsOf: Data([1]))
        for round in 1...rounds {
            let other = SessionKey("other \(round)")
            try await store.insert(
                SessionEntry(
                    key: other,
                    secondaryKeys: [SessionKey("secondary \(round)")],
                    value: Array(repeating: 7, count: 10_000),
                    expiry: start + 60
                )
            )
            try await store.update(key) { $0.value[0] += 1 }
            try note?.write(contentsOf: Data([UInt8(round + 1)]))
            try await store.delete(other)
        }
        exit(completeExit)
    }

    /// Looks at what the killed process left.
    private static func verify(_ folder: String) async throws {
        let acknowledged = try Data(contentsOf: URL(fileURLWithPath: folder + "/acknowledged")).last ?? 0
        let path = folder + "/sessions.sqlite"
        let store = try store(folder)
        let entry = try await store.entry(for: key)
        let value = entry?.value.first ?? 0
        #expect(value == acknowledged || value == acknowledged + 1, "\(value) after \(acknowledged)")
        #expect(entry.map { $0.version.number == UInt64(value) } ?? (acknowledged == 0))
        if entry != nil { try await store.update(key) { $0.value = [0] } }
        await store.close()
        let (integrity, orphans, unnamed) = try await DatabaseQueue(path: path).read { db in
            (
                try String.fetchAll(db, sql: "PRAGMA integrity_check"),
                try Int.fetchOne(
                    db,
                    sql: "SELECT count(*) FROM secondary_keys WHERE session NOT IN (SELECT id FROM sessions)"
                ),
                try Int.fetchOne(
                    db,
                    sql: """
                        SELECT count(*) FROM sessions
                        WHERE length(secondary) > 0 AND id NOT IN (SELECT session FROM secondary_keys)
                        """
                )
            )
        }
        #expect(integrity == ["ok"])
        #expect(orphans == 0 && unnamed == 0, "a session and its secondary keys are written together")
    }
}
#endif
