#if Server
import CredentialServingOperations
import IRMAServer
import ServerSupport

#if PostgreSQL
import IRMAServerPostgreSQL
#endif
#if SQLite
import IRMAServerSQLite
#endif

extension ServerCheck {
    func openRevocationRecords() async throws {
        let key = ServerKeys.revocationDatabaseAddress
        guard let address = try configuration.valueIfPresent(of: key)?.withValue({ $0 }) else { return }
        switch try configuration.valueIfPresent(of: ServerKeys.revocationDatabase) {
        case "sqlite": try await Self.check(key) { try await Self.openRecords(inFile: address) }
        case "postgres": try await Self.check(key) { try await openRecords(inDatabase: address) }
        default: break
        }
    }

    private static func openRecords(inFile path: String) async throws {
        #if SQLite
        guard try hasTables(path) else { return }
        let records = try SQLiteRevocationRecords(path: path)
        try await records.check()
        try records.close()
        #endif
    }

    private func openRecords(inDatabase address: String) async throws {
        #if PostgreSQL
        let records = try PostgreSQLRevocationRecords(
            configuration: PostgreSQLConfiguration(connectionString: address)
        )
        defer { records.close() }
        do throws(IRMAServerError) {
            try await records.check()
        } catch let error where error.code == .missingTables {
            warnOfMissingTables("revocation")
        }
        #endif
    }

    func warnOfMissingTables(_ content: String) {
        warn("the database of \(content) has no tables yet; the start makes them")
    }
}
#endif
