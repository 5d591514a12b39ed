#if SQLite
import Foundation
import GRDB
import IRMAServer
import IRMAServerContracts
import IRMAServerSQLite
import IdemixCore
import Testing

/// Runs a function with a folder of its own.
func withFolder(_ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("revocation-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder.path)
}

@Suite struct SQLiteRevocationRecordsTests {
    @Test(arguments: [(3_036_000, "3.36.0"), (3_008_011, "3.8.11"), (3_037_000, nil), (4_000_000, nil)])
    func refusesLibrariesWithoutStrictTables(number: CInt, name: String?) {
        do throws(IRMAServerError) {
            try SQLiteRevocationRecords.checkLibrary(number: number)
            #expect(name == nil)
        } catch {
            #expect(error.code == .invalidConfiguration)
            #expect(name.map { error.message.contains("SQLite \($0) is too old") } == true)
        }
    }

    private static let type = CredentialTypeIdentifier("demo.bank.pass")

    private func code(_ body: () async throws -> Void) async -> IRMAServerError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? IRMAServerError)?.code
        }
    }

    private func put(_ records: SQLiteRevocationRecords) async throws {
        try await records.replace(
            with: RevocationUpdate(
                signedAccumulator: SignedAccumulator(data: [1, 2, 3], keyCounter: 3),
                events: try RevocationEventList([.first])
            ),
            of: Self.type,
            keyCounter: 3,
            expecting: nil,
            revoking: [],
            at: 1
        )
    }

    @Test(arguments: RevocationRecordsLaw.all)
    func keeps(_ law: RevocationRecordsLaw) async throws {
        try await withFolder { folder in
            let stores = try (0..<2).map { _ in try SQLiteRevocationRecords(path: folder + "/records.sqlite") }
            try await law.check(stores)
            for store in stores { try store.close() }
        }
    }

    @Test func keepsRecordsWhenItIsOpenedAgain() async throws {
        try await withFolder { folder in
            let first = try SQLiteRevocationRecords(path: folder + "/records.sqlite")
            try await put(first)
            try first.close()
            let second = try SQLiteRevocationRecords(path: folder + "/records.sqlite")
            #expect(try await second.keyCounters(of: Self.type) == [3])
            try second.close()
            #expect(await code { try await second.check() } == .storeUnavailable)
        }
    }

    @Test(arguments: [Duration.seconds(25 * 86_400), .seconds(Int64.max), .seconds(-1)])
    func takesAnyBusyTimeout(_ timeout: Duration) async throws {
        try await withFolder { folder in
            let records = try SQLiteRevocationRecords(path: folder + "/irma.sqlite", busyTimeout: timeout)
            try await records.check()
            try records.close()
        }
    }

    @Test func letsTheOwnerAloneRead() async throws {
        try await withFolder { folder in
            let path = folder + "/records.sqlite"
            let records = try SQLiteRevocationRecords(path: path)
            try await put(records)
            for suffix in ["", "-wal"] {
                let attributes = try FileManager.default.attributesOfItem(atPath: path + suffix)
                #expect((attributes[.posixPermissions] as? Int).map { $0 & 0o077 } == 0)
            }
            try records.close()
        }
    }

    @Test func hasTheEncodingsOfTheReference() async throws {
        try await withFolder { folder in
            let records = try SQLiteRevocationRecords(path: folder + "/records.sqlite")
            try await put(records)
            let (data, parent) = try await DatabaseQueue(path: folder + "/records.sqlite").read { db in
                (
                    try Data.fetchOne(db, sql: "SELECT data FROM accumulator_records"),
                    try Data.fetchOne(db, sql: "SELECT parent_hash FROM event_records")
                )
            }
            #expect(data == Data([0x43, 1, 2, 3]), "a byte string of CBOR")
            #expect(parent == Data([0x12, 0x20] + [UInt8](repeating: 0, count: 32)))
            try records.close()
        }
    }

    @Test func refusesRowsThatNoAuthorityWrote() async throws {
        for statement in [
            "UPDATE accumulator_records SET data = x'0102'", "UPDATE event_records SET parent_hash = x'00'",
            "UPDATE event_records SET eventindex = -1",
        ] {
            try await withFolder { folder in
                let records = try SQLiteRevocationRecords(path: folder + "/records.sqlite")
                try await put(records)
                try await DatabaseQueue(path: folder + "/records.sqlite").write { db in try db.execute(sql: statement) }
                #expect(
                    await code { _ = try await records.accumulator(of: Self.type, keyCounter: 3) } == .storeDamaged,
                    "\(statement)"
                )
                try records.close()
            }
        }
    }

    @Test func refusesFilesOfAnotherKind() async throws {
        try await withFolder { folder in
            let path = folder + "/other.sqlite"
            let other = try DatabaseQueue(path: path)
            try await other.write { db in try db.execute(sql: "CREATE TABLE sessions (id INTEGER)") }
            try other.close()
            #expect(await code { _ = try SQLiteRevocationRecords(path: path) } == .invalidConfiguration)
            let text = folder + "/text.sqlite"
            try Data("this is no database, however long it may be".utf8).write(to: URL(fileURLWithPath: text))
            #expect(await code { _ = try SQLiteRevocationRecords(path: text) } == .storeDamaged)
        }
        for path in ["", ":memory:", "file:x"] {
            #expect(await code { _ = try SQLiteRevocationRecords(path: path) } == .invalidConfiguration)
        }
        #expect(await code { _ = try SQLiteRevocationRecords(path: "/nowhere/x") } == .storeUnavailable)
    }
}
#endif
