#if SQLite
import Foundation
import GRDB
import SQLiteFiles
import Testing

/// The opening of a store's file, the check of its kind, and the reading of the database's errors.
struct SQLiteStoreTests {
    private struct Refusal: Error, Equatable {
        let message: String
    }

    private func withFile(_ body: (SQLiteFile) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sqlite-store-\(UUID().uuidString)")
            .path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(try SQLiteFile(path: "\(folder)/store.sqlite", Refusal.init))
    }

    private func values(_ file: SQLiteFile) throws -> SQLiteValueFile {
        try SQLiteValueFile(opening: file, busyTimeout: .seconds(1), Refusal.init)
    }

    /// SQLite counts the milliseconds of a wait in 32 bits.
    @Test(arguments: [Duration.seconds(Int64.max), .milliseconds(2_147_483_648), .seconds(-1)])
    func takesAnyWait(_ wait: Duration) throws {
        try withFile { file in
            let pool = try file.openPool(label: "test", busyTimeout: wait, pragmas: "PRAGMA secure_delete = ON") { db in
                try db.execute(sql: "CREATE TABLE t (a INTEGER)")
            }
            #expect(try pool.read { db in try Int.fetchOne(db, sql: "PRAGMA secure_delete") } == 1)
            try pool.close()
        }
        try withFile { file in
            _ = try SQLiteValueFile(opening: file, busyTimeout: wait, Refusal.init)
        }
    }

    @Test func opensItsOwnValuesAgain() throws {
        try withFile { file in
            let values = try values(file)
            #expect(values.name == "store.sqlite")
            let columns = try #require(values.queue).read { db in try db.columns(in: "wallet").map(\.name) }
            #expect(columns == ["collection", "key", "version", "value"])
            values.close()
            #expect(values.queue == nil)
            #expect(try self.values(file).queue != nil)
        }
    }

    @Test(arguments: [
        "PRAGMA user_version = 1", "CREATE TABLE wallets (a INTEGER)", "PRAGMA user_version = 7",
        "CREATE TABLE wallet (collection, key, value); PRAGMA user_version = 1",
    ])
    func refusesAFileOfAnotherKind(_ sql: String) throws {
        try withFile { file in
            try DatabaseQueue(path: file.path).write { db in try db.execute(sql: sql) }
            let error = #expect(throws: Refusal.self) { try values(file) }
            #expect(error?.message.hasPrefix("a database of another kind, its user_version is ") == true)
        }
    }

    @Test func readsTheNumbersOfAFile() throws {
        try withFile { file in
            let queue = try DatabaseQueue(path: file.path)
            try queue.write { db in
                let empty = try SQLiteHeader(db)
                #expect(empty.version == 0 && empty.application == 0)
                try empty.requireNewFile(Refusal.init)
                try db.execute(sql: "PRAGMA user_version = 2; PRAGMA application_id = 7")
                let header = try SQLiteHeader(db)
                #expect(header.version == 2 && header.application == 7)
                #expect(throws: Refusal(message: "a database of another kind, its user_version is 2")) {
                    try header.requireNewFile(Refusal.init)
                }
            }
        }
    }

    @Test(
        arguments: [
            (.SQLITE_CONSTRAINT, .conflict), (.SQLITE_CONSTRAINT_UNIQUE, .conflict), (.SQLITE_CORRUPT, .damaged),
            (.SQLITE_NOTADB, .damaged), (.SQLITE_MISMATCH, .damaged), (.SQLITE_FULL, .full), (.SQLITE_MISUSE, .closed),
            (.SQLITE_BUSY, .unavailable), (.SQLITE_IOERR, .unavailable),
        ] as [(ResultCode, SQLiteFailure.Kind)]
    )
    func tellsTheKindsOfErrorsApart(_ code: ResultCode, kind: SQLiteFailure.Kind) {
        let failure = SQLiteFailure(DatabaseError(resultCode: code))
        #expect(failure.kind == kind)
        let beginning = kind == .damaged ? "the file is no sound database" : "the database is busy or failed"
        #expect(failure.message == "\(beginning): \(code.primaryResultCode)")
    }

    @Test func keepsNoArgumentOfAStatement() {
        let error = DatabaseError(
            resultCode: .SQLITE_BUSY,
            message: "secret",
            sql: "SELECT secret",
            arguments: ["secret"],
            publicStatementArguments: true
        )
        #expect("\(error)".contains("secret"))
        #expect(!"\(SQLiteFailure(error))".contains("secret"))
    }

    @Test func readsErrorsThatAreNotOfSQLite() {
        let cancelled = SQLiteFailure(CancellationError())
        #expect(cancelled.kind == .cancelled && cancelled.message == "the task was cancelled")
        let other = SQLiteFailure(Refusal(message: "secret"))
        #expect(other.kind == .unavailable && other.message == "the database failed")
    }
}
#endif
