#if SQLite
import Foundation
import GRDB
import KeyshareServer
import KeyshareServerContracts
import KeyshareServerSQLite
import Testing

@Suite struct SQLiteKeyshareAccountStoreTests {
    @Test(arguments: [(3_036_000, "3.36.0"), (3_008_011, "3.8.11"), (3_037_000, nil), (4_000_000, nil)])
    func refusesLibrariesWithoutStrictTables(number: CInt, name: String?) {
        do throws(KeyshareServerError) {
            try SQLiteKeyshareAccountStore.checkLibrary(number: number)
            #expect(name == nil)
        } catch {
            #expect(error.code == .invalidConfiguration)
            #expect(name.map { error.message.contains("SQLite \($0) is too old") } == true)
        }
    }

    /// Runs a function with the path of a file in a folder of its own.
    private func withFile(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("keyshare-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder.appendingPathComponent("accounts.sqlite").path)
    }

    private func account(_ name: String) -> KeyshareAccount {
        KeyshareAccount(username: name, language: "en", coreData: [1, 2], lastSeen: 5)
    }

    @Test(arguments: AccountStoreLaw.all)
    func keeps(_ law: AccountStoreLaw) async throws {
        try await withFile { path in
            let stores = try (0..<2).map { _ in try SQLiteKeyshareAccountStore(path: path) }
            try await law.check(stores)
            for store in stores { try store.close() }
        }
    }

    @Test(arguments: EmailStoreLaw.all)
    func keeps(_ law: EmailStoreLaw) async throws {
        try await withFile { path in
            let stores = try (0..<2).map { _ in try SQLiteKeyshareAccountStore(path: path) }
            try await law.check(stores)
            for store in stores { try store.close() }
        }
    }

    /// A file of the first layout, which had no addresses.
    @Test func addsTheTablesOfAddressesToAnOlderFile() async throws {
        try await withFile { path in
            let first = try SQLiteKeyshareAccountStore(path: path)
            try await first.insert(account("alice"))
            try first.close()
            let other = try DatabaseQueue(path: path)
            try await other.write { db in
                try db.execute(
                    sql: """
                        DROP TABLE emails; DROP TABLE email_login_tokens; DROP TABLE email_verification_tokens;
                        PRAGMA user_version = 1;
                        """
                )
            }
            try other.close()
            let second = try SQLiteKeyshareAccountStore(path: path)
            try await second.addEmail("a@example.org", to: "alice")
            #expect(try await second.summary(of: "alice", at: 0)?.emails == [KeyshareEmail("a@example.org")])
            #expect(try await second.account(named: "alice")?.account == account("alice"))
            try second.close()
        }
    }

    /// The reference's servers note down that mail could not be sent.
    @Test func leavesAccountsToBeRevalidatedAlone() async throws {
        try await withFile { path in
            let store = try SQLiteKeyshareAccountStore(path: path)
            try await store.insert(account("alice"))
            try await store.addEmail("a@example.org", to: "alice")
            #expect(try await store.unusedAccounts(since: 9, atMost: 9).count == 1)
            let other = try DatabaseQueue(path: path)
            try await other.write { db in try db.execute(sql: "UPDATE emails SET revalidate_on = 7") }
            try other.close()
            #expect(try await store.unusedAccounts(since: 9, atMost: 9).isEmpty)
            let expected = [KeyshareEmail("a@example.org", revalidateOn: 7)]
            #expect(try await store.summary(of: "alice", at: 0)?.emails == expected)
            try store.close()
        }
    }

    @Test func keepsAccountsWhenItIsOpenedAgain() async throws {
        try await withFile { path in
            let first = try SQLiteKeyshareAccountStore(path: path)
            try await first.insert(account("alice"))
            try first.close()
            let second = try SQLiteKeyshareAccountStore(path: path)
            #expect(try await second.account(named: "alice")?.account == account("alice"))
            try second.close()
            #expect(await code { try await second.check() } == .storeUnavailable)
        }
    }

    @Test(arguments: [Duration.seconds(25 * 86_400), .seconds(Int64.max), .seconds(-1)])
    func takesAnyBusyTimeout(_ timeout: Duration) async throws {
        try await withFile { path in
            let accounts = try SQLiteKeyshareAccountStore(path: path, busyTimeout: timeout)
            try await accounts.check()
            try accounts.close()
        }
    }

    @Test func letsTheOwnerAloneRead() async throws {
        try await withFile { path in
            let store = try SQLiteKeyshareAccountStore(path: path)
            try await store.insert(account("alice"))
            for suffix in ["", "-wal"] {
                let attributes = try FileManager.default.attributesOfItem(atPath: path + suffix)
                #expect((attributes[.posixPermissions] as? Int).map { $0 & 0o077 } == 0)
            }
            try store.close()
        }
    }

    @Test func takesAnAccountWithoutSecretsForNone() async throws {
        try await withFile { path in
            let store = try SQLiteKeyshareAccountStore(path: path)
            try await store.insert(account("alice"))
            let stored = try #require(try await store.account(named: "alice"))
            let other = try DatabaseQueue(path: path)
            try await other.write { db in try db.execute(sql: "UPDATE users SET coredata = NULL, delete_on = 9") }
            #expect(try await store.account(named: "alice") == nil)
            #expect(await code { try await store.update(stored, recording: []) } == .accountNotFound)
            // The name stays taken until the row is deleted.
            #expect(await code { try await store.insert(account("alice")) } == .nameTaken)
            try other.close()
            try store.close()
        }
    }

    @Test func refusesFilesOfAnotherKind() async throws {
        try await withFile { path in
            let other = try DatabaseQueue(path: path)
            try await other.write { db in try db.execute(sql: "CREATE TABLE sessions (id INTEGER)") }
            try other.close()
            #expect(await code { _ = try SQLiteKeyshareAccountStore(path: path) } == .invalidConfiguration)
        }
        try await withFile { path in
            try Data("this is no database, however long it may be".utf8).write(to: URL(fileURLWithPath: path))
            #expect(await code { _ = try SQLiteKeyshareAccountStore(path: path) } == .storeDamaged)
        }
        for path in ["", ":memory:", "file:x"] {
            #expect(await code { _ = try SQLiteKeyshareAccountStore(path: path) } == .invalidConfiguration)
        }
        #expect(await code { _ = try SQLiteKeyshareAccountStore(path: "/nowhere/x") } == .storeUnavailable)
    }

    @Test func namesNoAccountInItsErrors() async throws {
        try await withFile { path in
            let store = try SQLiteKeyshareAccountStore(path: path)
            let other = try DatabaseQueue(path: path)
            try await other.write { db in try db.execute(sql: "DROP TABLE log_entry_records; DROP TABLE users") }
            do {
                try await store.insert(account("secret-name"))
                Issue.record("not refused")
            } catch {
                #expect(!"\(error)".contains("secret-name"))
            }
            try other.close()
            try store.close()
        }
    }

    private func code(_ body: () async throws -> Void) async -> KeyshareServerError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? KeyshareServerError)?.code
        }
    }
}
#endif
