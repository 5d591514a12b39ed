#if Server
import CommandSupport
import CredentialServingOperations
import Foundation
import IRMAServer
import KeyshareServer
import ServerSupport
import VerificationCore

#if PostgreSQL
import KeyshareServerPostgreSQL
#endif
#if SQLite
import KeyshareServerSQLite
import SQLiteFiles
#endif

extension ServerCheck {
    /// Opens the database of accounts.
    ///
    /// - Throws: ``ToolError`` for a database that cannot be used.
    func openAccounts() async throws {
        let key = AccountStoreFactory.address
        guard let address = try configuration.valueIfPresent(of: key)?.withValue({ $0 }) else { return }
        switch try configuration.value(of: AccountStoreFactory.database) {
        case "sqlite": try await Self.check(key) { try await openAccounts(inFile: address) }
        case "postgres": try await Self.check(key) { try await openAccounts(inDatabase: address) }
        default: break
        }
    }

    private func openAccounts(inFile path: String) async throws {
        #if SQLite
        guard try Self.hasTables(path) else { return }
        guard try Self.header(path).version >= SQLiteKeyshareAccountStore.layout else {
            return warn("the file of accounts is of an earlier version; the start adds tables: \(path)")
        }
        let accounts = try SQLiteKeyshareAccountStore(path: path)
        try await accounts.check()
        try accounts.close()
        #endif
    }

    private func openAccounts(inDatabase address: String) async throws {
        #if PostgreSQL
        let accounts = try PostgreSQLKeyshareAccountStore(
            configuration: PostgreSQLConfiguration(connectionString: address)
        )
        defer { accounts.close() }
        do throws(KeyshareServerError) {
            try await accounts.check()
        } catch let error where error.code == .missingTables {
            warnOfMissingTables("accounts")
        }
        #endif
    }
}

extension ServerExpiries {
    /// Looks at the certificates of TLS, and at the issuers' keys that sign.
    ///
    /// - Throws: The errors of the configuration.
    init(_ assembly: AccountServerAssembly, at now: Date) throws {
        self.init(at: now)
        try add([ServerKeys.certificate], of: assembly.configuration)
        add(assembly.material.issuerKeys)
    }
}
#endif
