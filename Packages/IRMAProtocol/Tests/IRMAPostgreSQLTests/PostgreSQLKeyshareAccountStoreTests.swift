#if PostgreSQL
import CredentialServing
import Foundation
import KeyshareServer
import KeyshareServerContracts
import KeyshareServerPostgreSQL
import TestSupport
import Testing

@testable import IRMAPostgreSQL

/// The accounts of a keyshare server in a server that a test starts.
@Suite(.enabled(if: PeerProcess.areWanted, PeerProcess.comment), .timeLimit(.minutes(3)))
struct PostgreSQLKeyshareAccountStoreTests {
    private func code(_ body: () async throws -> Void) async -> KeyshareServerError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? KeyshareServerError)?.code
        }
    }

    @Test func keepsTheContract() async throws {
        let server = try await PeerPostgreSQL()
        defer { server.stop() }
        for law in AccountStoreLaw.all {
            let configuration = PostgreSQLConfiguration(connectionString: try server.makeDatabase())
            let stores = try (0..<2).map { _ in try PostgreSQLKeyshareAccountStore(configuration: configuration) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for store in stores { group.addTask { try await store.createTables() } }
                try await group.waitForAll()
            }
            do { try await law.check(stores) } catch { Issue.record("\(law): \(error)") }
            for store in stores { store.close() }
        }
        print("postgresql: \(AccountStoreLaw.all.count) laws of accounts, two instances each")
    }

    @Test func keepsTheContractOfAddresses() async throws {
        let server = try await PeerPostgreSQL()
        defer { server.stop() }
        for law in EmailStoreLaw.all {
            let configuration = PostgreSQLConfiguration(connectionString: try server.makeDatabase())
            let stores = try (0..<2).map { _ in try PostgreSQLKeyshareAccountStore(configuration: configuration) }
            try await stores[0].createTables()
            do { try await law.check(stores) } catch { Issue.record("\(law): \(error)") }
            for store in stores { store.close() }
        }
        print("postgresql: \(EmailStoreLaw.all.count) laws of addresses, two instances each")
    }

    /// The first schema of the reference had no column `revalidate_on`.
    @Test func takesAddressesOfAnOlderSchema() async throws {
        let server = try await PeerPostgreSQL()
        defer { server.stop() }
        let configuration = PostgreSQLConfiguration(connectionString: try server.makeDatabase())
        let pool = try PostgreSQLPool(configuration, clock: .system, jitter: { 1 })
        let store = try PostgreSQLKeyshareAccountStore(configuration: configuration)
        try await store.createTables()
        try await store.insert(KeyshareAccount(username: "alice", language: "nl", coreData: [1], lastSeen: 1))
        try await store.addEmail("a@example.org", to: "alice")
        for column in [true, false] {
            try await pool.transaction(.change) { db in
                if column {
                    _ = try db.execute("UPDATE irma.emails SET revalidate_on = 7")
                } else {
                    _ = try db.execute("ALTER TABLE irma.emails DROP COLUMN revalidate_on")
                }
            }
            let expected = [KeyshareEmail("a@example.org", revalidateOn: column ? 7 : nil)]
            #expect(try await store.summary(of: "alice", at: 0)?.emails == expected)
            #expect(try await store.unusedAccounts(since: 9, atMost: 9).count == (column ? 0 : 1))
        }
        pool.close()
        store.close()
    }

    @Test func goesOnFromTheReferencesTables() async throws {
        let server = try await PeerPostgreSQL()
        defer { server.stop() }
        let configuration = PostgreSQLConfiguration(connectionString: try server.makeDatabase())
        let pool = try PostgreSQLPool(configuration, clock: .system, jitter: { 1 })
        let store = try PostgreSQLKeyshareAccountStore(configuration: configuration)
        #expect(await code { try await store.check() } == .missingTables)
        try await store.createTables()
        try await pool.transaction(.change) { db in
            _ = try db.execute(
                """
                INSERT INTO irma.users (username, language, coredata, last_seen, pin_counter, pin_block_date)
                VALUES ('alice', 'nl', '\\x0102', 5, 0, 0), ('deleted', 'nl', NULL, 5, 0, 0)
                """
            )
            _ = try db.execute("INSERT INTO irma.emails (user_id, email) VALUES (1, 'a@example.org')")
        }
        try await store.createTables()
        var stored = try #require(try await store.account(named: "alice"))
        #expect(stored.account.coreData == [1, 2])
        #expect(stored.account.deleteOn == nil)
        #expect(try await store.account(named: "deleted") == nil)
        #expect(
            await code {
                try await store.insert(
                    KeyshareAccount(username: "deleted", language: "nl", coreData: [1], lastSeen: 1)
                )
            } == .nameTaken
        )

        // A change by the reference's server, which knows no versions.
        try await pool.transaction(.change) { db in
            _ = try db.execute("UPDATE irma.users SET last_seen = 6 WHERE username = 'alice'")
        }
        let old = stored
        #expect(await code { _ = try await store.update(old, recording: []) } == .conflict)
        stored = try #require(try await store.account(named: "alice"))
        stored.account.pinCounter = 1
        try await store.update(stored, recording: [KeyshareAccountEvent(.pinCheckFailed, at: 9, parameter: 2)])
        try await pool.transaction(.read) { db in
            let row = try #require(
                try db.execute("SELECT time, event, param, user_id FROM irma.log_entry_records").rows.first
            )
            #expect(try row.integer(0) == 9 && row.text(1) == "PIN_CHECK_FAILED")
            #expect(try row.text(2) == "2" && row.integer(3) == 1)
        }
        var large = try #require(try await store.account(named: "alice"))
        large.account.pinCounter = .max
        let tooLarge = large
        #expect(await code { _ = try await store.update(tooLarge, recording: []) } == .invalidAccount)
        #expect(try await store.delete("alice"))
        let emails = try await pool.transaction(.read) { db in
            try db.execute("SELECT count(*) FROM irma.emails").rows.first?.integer(0)
        }
        #expect(emails == 0, "what belongs to an account goes with it")
        pool.close()
        store.close()
    }
}
#endif
