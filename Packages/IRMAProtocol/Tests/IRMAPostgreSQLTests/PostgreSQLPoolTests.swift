#if PostgreSQL
import CredentialServing
import Foundation
import Synchronization
import TestSupport
import Testing
import VerificationCore

@testable import IRMAPostgreSQL

/// Connections to a server that a test starts.
@Suite(.enabled(if: PeerProcess.areWanted, PeerProcess.comment), .timeLimit(.minutes(2)))
struct PostgreSQLPoolTests {
    private let timer = ManualClock()

    private func pool(
        _ string: String,
        _ change: (inout PostgreSQLConfiguration) -> Void = { _ in }
    ) throws -> PostgreSQLPool {
        var configuration = PostgreSQLConfiguration(connectionString: string)
        change(&configuration)
        let timer = timer
        let start = Date(timeIntervalSince1970: 1_800_000_000)
        let clock = SessionClock(now: { start + timer.now.offset / .seconds(1) }, timer: timer)
        return try PostgreSQLPool(configuration, clock: clock, jitter: { 1 })
    }

    private func code(_ body: () async throws -> Void) async -> PostgreSQLError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? PostgreSQLError)?.code
        }
    }

    private static func ping(_ pool: PostgreSQLPool) async throws {
        try await pool.transaction(.read) { db in _ = try db.execute("SELECT 1") }
    }

    @Test func carriesEveryKindOfValue() async throws {
        let server = try await PeerPostgreSQL()
        defer { server.stop() }
        let pool = try pool(try server.makeDatabase())
        try await pool.transaction(.change) { db in
            try db.execute("CREATE TABLE sample (n bigint, t text, b bytea)")
            let hostile = "'; DROP TABLE sample; -- \u{e9}\u{1F511}\n\\"
            let added = try db.execute(
                "INSERT INTO sample VALUES ($1, $2, $3), ($4, $5, $6)",
                .integer(.min),
                .text(hostile),
                .bytes(Array(0...255)),
                .null,
                .text(""),
                .bytes([])
            )
            #expect(added.count == 2)
            let rows = try db.execute("SELECT n, t, b FROM sample ORDER BY n NULLS LAST").rows
            #expect(try rows[0].integer(0) == .min)
            #expect(try rows[0].text(1) == hostile)
            #expect(try rows[0].bytes(2) == Array(0...255))
            #expect(try rows[1].optionalInteger(0) == nil)
            #expect(try rows[1].text(1) == "")
            #expect(try rows[1].bytes(2) == [])
        }
        #expect(
            await code {
                try await pool.transaction(.change) { db in _ = try db.execute("SELECT $1", .text("a\u{0}")) }
            } == .invalidValue
        )
        pool.close()
        #expect(await code { try await Self.ping(pool) } == .closed)
        #expect(pool.connectionCount == 0)
    }

    @Test func aFailedTransactionLeavesNothing() async throws {
        let server = try await PeerPostgreSQL()
        defer { server.stop() }
        let pool = try pool(try server.makeDatabase()) { $0.maximumConnections = 1 }
        try await pool.transaction(.change) { db in
            _ = try db.execute("CREATE TABLE sample (n bigint PRIMARY KEY)")
        }
        struct Refusal: Error {}
        await #expect(throws: Refusal.self) {
            try await pool.transaction(.change) { db in
                _ = try db.execute("INSERT INTO sample VALUES (1)")
                throw Refusal()
            }
        }
        #expect(
            await code {
                try await pool.transaction(.change) { db in
                    _ = try db.execute("INSERT INTO sample VALUES (2)")
                    _ = try db.execute("INSERT INTO sample VALUES (2)")
                }
            } == .constraint
        )
        #expect(
            await code { try await pool.transaction(.read) { db in _ = try db.execute("SELECT 1 FROM none") } }
                == .missingTable
        )
        #expect(
            await code {
                try await pool.transaction(.read) { db in _ = try db.execute("INSERT INTO sample VALUES (3)") }
            } == .unavailable
        )
        let count = try await pool.transaction(.read) { db in
            try db.execute("SELECT count(*) FROM sample").rows.first?.integer(0)
        }
        #expect(count == 0)
        pool.close()
    }

    @Test func aStatementEndsInItsTime() async throws {
        let server = try await PeerPostgreSQL()
        defer { server.stop() }
        let pool = try pool(try server.makeDatabase()) { $0.statementTimeout = .milliseconds(100) }
        #expect(
            await code { try await pool.transaction(.read) { db in _ = try db.execute("SELECT pg_sleep(100)") } }
                == .unavailable
        )
        try await Self.ping(pool)
        pool.close()
    }

    @Test func waitsForAConnectionInTurn() async throws {
        let server = try await PeerPostgreSQL()
        defer { server.stop() }
        let pool = try pool(try server.makeDatabase()) {
            $0.maximumConnections = 1
            $0.maximumWaitingCalls = 1
        }
        try await Self.ping(pool)
        let (started, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let holder = Task {
            try await pool.transaction(.read) { db in
                started.signal()
                gate.wait()
                _ = try db.execute("SELECT 1")
            }
        }
        await Self.wait(for: started)
        let waiter = Task { try await Self.ping(pool) }
        while pool.waitingCount == 0 { await Task.yield() }
        #expect(await code { try await Self.ping(pool) } == .unavailable, "one too many")
        waiter.cancel()
        #expect(await code { try await waiter.value } == .cancelled)
        let next = Task { try await Self.ping(pool) }
        while pool.waitingCount == 0 { await Task.yield() }
        gate.signal()
        try await holder.value
        try await next.value
        #expect(pool.connectionCount == 1)
        pool.close()
    }

    private static func wait(for semaphore: DispatchSemaphore) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                semaphore.wait()
                continuation.resume()
            }
        }
    }

    @Test func connectsAgainAfterABackOff() async throws {
        let server = try await PeerPostgreSQL()
        defer { server.stop() }
        let pool = try pool(try server.makeDatabase()) { $0.maximumConnections = 2 }
        try await Self.ping(pool)
        server.stop()
        #expect(await code { try await Self.ping(pool) } == .unavailable)
        try await server.start()
        // The server is back, and nobody asks it before the back-off has passed.
        #expect(await code { try await Self.ping(pool) } == .unavailable)
        timer.advance(by: .milliseconds(99))
        #expect(await code { try await Self.ping(pool) } == .unavailable)
        timer.advance(by: .milliseconds(1))
        try await Self.ping(pool)
        // A server that was restarted while all connections were idle is not noticed by the caller.
        server.stop()
        try await server.start()
        try await Self.ping(pool)
        pool.close()
    }

    @Test func tellsALostChangeFromOneOfUnknownOutcome() async throws {
        let server = try await PeerPostgreSQL()
        defer { server.stop() }
        let pool = try pool(try server.makeDatabase())
        #expect(
            await code {
                try await pool.transaction(.change) { db in
                    _ = try db.execute("SELECT pg_terminate_backend(pg_backend_pid())")
                }
            } == .unavailable
        )
        try await pool.transaction(.change) { db in
            _ = try db.execute("CREATE TABLE sample (n bigint)")
            _ = try db.execute(
                """
                CREATE FUNCTION fall() RETURNS trigger LANGUAGE plpgsql AS
                'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END'
                """
            )
            _ = try db.execute(
                """
                CREATE CONSTRAINT TRIGGER falls AFTER INSERT ON sample DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW EXECUTE FUNCTION fall()
                """
            )
        }
        #expect(
            await code {
                try await pool.transaction(.change) { db in _ = try db.execute("INSERT INTO sample VALUES (1)") }
            } == .outcomeUnknown
        )
        try await Self.ping(pool)
        pool.close()
    }

    @Test func runsATransactionAgainThatOthersWereInTheWayOf() async throws {
        let server = try await PeerPostgreSQL()
        defer { server.stop() }
        let pool = try pool(try server.makeDatabase())
        let runs = Atomic(0)
        try await pool.transaction(.change) { db in
            if runs.add(1, ordering: .relaxed).newValue < 3 {
                _ = try db.execute("DO 'BEGIN RAISE EXCEPTION USING ERRCODE = ''40001''; END'")
            }
        }
        #expect(runs.load(ordering: .relaxed) == 3)
        #expect(
            await code {
                try await pool.transaction(.change) { db in
                    _ = try db.execute("DO 'BEGIN RAISE EXCEPTION USING ERRCODE = ''40P01''; END'")
                }
            } == .contention
        )
        pool.close()
    }
}
#endif
