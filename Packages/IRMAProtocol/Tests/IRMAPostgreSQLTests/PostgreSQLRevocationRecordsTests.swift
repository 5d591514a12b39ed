#if PostgreSQL
import CredentialServing
import Foundation
import IRMAServer
import IRMAServerContracts
import IRMAServerPostgreSQL
import IdemixCore
import TestSupport
import Testing

@testable import IRMAPostgreSQL

/// The records of a revocation authority in a server that a test starts.
@Suite(.enabled(if: PeerProcess.areWanted, PeerProcess.comment), .timeLimit(.minutes(3)))
struct PostgreSQLRevocationRecordsTests {
    private static let type = CredentialTypeIdentifier("demo.bank.pass")

    private func code(_ body: () async throws -> Void) async -> IRMAServerError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? IRMAServerError)?.code
        }
    }

    @Test func keepsTheContract() async throws {
        let server = try await PeerPostgreSQL()
        defer { server.stop() }
        for law in RevocationRecordsLaw.all {
            let configuration = PostgreSQLConfiguration(connectionString: try server.makeDatabase())
            let stores = try (0..<2).map { _ in try PostgreSQLRevocationRecords(configuration: configuration) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for store in stores { group.addTask { try await store.createTables() } }
                try await group.waitForAll()
            }
            do { try await law.check(stores) } catch { Issue.record("\(law): \(error)") }
            for store in stores { store.close() }
        }
        print("postgresql: \(RevocationRecordsLaw.all.count) laws of revocation records, two instances each")
    }

    /// The statements with which the reference's library makes its tables.
    private static func makeReferenceTables(_ db: borrowing PostgreSQLTransaction) throws {
        _ = try db.execute(
            """
            CREATE TABLE "event_records" ("eventindex" bigint,"cred_type" text,"pk_counter" bigint,"e" bytea,
            "parent_hash" bytea,PRIMARY KEY ("eventindex","cred_type","pk_counter"))
            """
        )
        _ = try db.execute(
            """
            CREATE TABLE "accumulator_records" ("cred_type" text,"data" bytea,"pk_counter" bigint,
            PRIMARY KEY ("cred_type","pk_counter"))
            """
        )
        _ = try db.execute(
            """
            CREATE TABLE "issuance_records" ("revocationkey" text,"cred_type" text,"issued" bigint,"pk_counter" bigint,
            "attr" bytea,"valid_until" bigint,"revoked_at" bigint,PRIMARY KEY ("revocationkey","cred_type","issued"))
            """
        )
        _ = try db.execute(
            "INSERT INTO event_records VALUES (0, 'demo.bank.pass', 3, '\\x01', $1)",
            .bytes([0x12, 0x20] + [UInt8](repeating: 0, count: 32))
        )
        _ = try db.execute("INSERT INTO accumulator_records VALUES ('demo.bank.pass', '\\x43010203', 3)")
        _ = try db.execute("INSERT INTO issuance_records VALUES ('a', 'demo.bank.pass', 7, 3, '\\x83', 9, 0)")
        _ = try db.execute("INSERT INTO issuance_records VALUES ('a', 'demo.bank.pass', 8, 3, '\\x85', 9, 77)")
    }

    @Test func goesOnFromTheReferencesTables() async throws {
        let server = try await PeerPostgreSQL()
        defer { server.stop() }
        let configuration = PostgreSQLConfiguration(connectionString: try server.makeDatabase())
        let pool = try PostgreSQLPool(configuration, clock: .system, jitter: { 1 })
        try await pool.transaction(.change) { db in try Self.makeReferenceTables(db) }
        let records = try PostgreSQLRevocationRecords(configuration: configuration)
        try await records.createTables()
        try await records.check()

        let first = SignedAccumulator(data: [1, 2, 3], keyCounter: 3)
        let update = try await records.accumulator(of: Self.type, keyCounter: 3)
        #expect(try update == RevocationUpdate(signedAccumulator: first, events: RevocationEventList([.first])))
        let issued = try await records.records(of: Self.type, revocationKey: "a")
        #expect(issued.map(\.attribute) == [0x83, 0x85])
        #expect(issued.map(\.revokedAt) == [nil, 77])

        let event = RevocationEvent(index: 1, prime: 0x83, parent: RevocationEvent.first.hash)
        try await records.replace(
            with: RevocationUpdate(
                signedAccumulator: SignedAccumulator(data: [4, 5], keyCounter: 3),
                events: try RevocationEventList([event])
            ),
            of: Self.type,
            keyCounter: 3,
            expecting: first,
            revoking: [issued[0]],
            at: 99
        )
        try await pool.transaction(.read) { db in
            let data = try db.execute("SELECT data FROM accumulator_records").rows.map { try $0.bytes(0) }
            #expect(data == [[0x42, 4, 5]], "a byte string of CBOR")
            let row = try #require(
                try db.execute(
                    "SELECT eventindex, cred_type, pk_counter, e, parent_hash FROM event_records WHERE eventindex > 0"
                ).rows.first
            )
            #expect(try row.integer(0) == 1 && row.text(1) == "demo.bank.pass" && row.integer(2) == 3)
            #expect(try row.bytes(3) == [0x83])
            #expect(try row.bytes(4) == RevocationEvent.first.hash.bytes)
            let times = try db.execute("SELECT revoked_at FROM issuance_records ORDER BY issued").rows
            #expect(try times.map { try $0.integer(0) } == [99, 77])
        }
        pool.close()
        records.close()
    }

    @Test func refusesRowsThatNoAuthorityWrote() async throws {
        let server = try await PeerPostgreSQL()
        defer { server.stop() }
        let configuration = PostgreSQLConfiguration(connectionString: try server.makeDatabase())
        let pool = try PostgreSQLPool(configuration, clock: .system, jitter: { 1 })
        let records = try PostgreSQLRevocationRecords(configuration: configuration)
        #expect(await code { try await records.check() } == .missingTables)
        let statements: [StaticString] = [
            "UPDATE accumulator_records SET data = '\\x0102'", "UPDATE event_records SET parent_hash = '\\x00'",
            "UPDATE event_records SET eventindex = -1", "UPDATE event_records SET e = NULL",
        ]
        for statement in statements {
            try await pool.transaction(.change) { db in
                _ = try db.execute("DROP TABLE IF EXISTS event_records, accumulator_records, issuance_records")
                try Self.makeReferenceTables(db)
                _ = try db.execute(statement)
            }
            #expect(
                await code { _ = try await records.accumulator(of: Self.type, keyCounter: 3) } == .storeDamaged,
                "\(statement)"
            )
        }
        pool.close()
        records.close()
    }
}
#endif
