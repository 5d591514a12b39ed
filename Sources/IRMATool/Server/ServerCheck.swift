#if Server
import CommandSupport
import CredentialServing
import CredentialServingOperations
import Foundation
import IRMAServer

#if PostgreSQL
import IRMAServerPostgreSQL
#endif
#if SQLite
import CredentialServingSQLite
import IRMAServerSQLite
#endif

/// The databases of a server, opened by `irma server check`, which makes no file and no table.
struct ServerCheck {
    let assembly: SessionServerAssembly

    /// The flag that leaves the databases out.
    static let offlineFlag = "--offline"

    private var configuration: ServerConfiguration { assembly.settings.configuration }

    /// Opens the databases that the configuration names.
    ///
    /// - Parameter warn: Takes a warning.
    /// - Throws: ``ToolError`` for one that cannot be used.
    func openDatabases(warn: (String) -> Void) async throws {
        try await openSessions()
        try await openRevocationRecords(warn: warn)
    }

    private func openSessions() async throws {
        switch try configuration.value(of: StoreKeys.kind) {
        case "sqlite":
            let path = try configuration.valueIfPresent(of: StoreKeys.file) ?? ""
            try await Self.check(StoreKeys.file) { try await Self.openSessions(inFile: path) }
        case "redis":
            try await Self.check(StoreKeys.kind) { try await assembly.store.check() }
            await assembly.store.shutdown()
        default: break
        }
    }

    private func openRevocationRecords(warn: (String) -> Void) async throws {
        let key = ServerKeys.revocationDatabaseAddress
        guard let address = try configuration.valueIfPresent(of: key)?.withValue({ $0 }) else { return }
        switch try configuration.valueIfPresent(of: ServerKeys.revocationDatabase) {
        case "sqlite": try await Self.check(key) { try await Self.openRecords(inFile: address) }
        case "postgres": try await Self.check(key) { try await Self.openRecords(inDatabase: address, warn: warn) }
        default: break
        }
    }

    private static func openSessions(inFile path: String) async throws {
        #if SQLite
        guard try isMade(path) else { return }
        let store = try SQLiteSessionStore(path: path)
        try await store.check()
        await store.shutdown()
        #endif
    }

    private static func openRecords(inFile path: String) async throws {
        #if SQLite
        guard try isMade(path) else { return }
        let records = try SQLiteRevocationRecords(path: path)
        try await records.check()
        try records.shutDown()
        #endif
    }

    private static func openRecords(inDatabase address: String, warn: (String) -> Void) async throws {
        #if PostgreSQL
        let records = try PostgreSQLRevocationRecords(
            configuration: PostgreSQLConfiguration(connectionString: address)
        )
        defer { records.shutDown() }
        do throws(IRMAServerError) {
            try await records.check()
        } catch {
            // An undefined table: the first start makes the tables.
            guard error.message.hasSuffix("SQLSTATE 42P01") else { throw error }
            warn("the database of revocation has no tables yet; the start makes them")
        }
        #endif
    }

    /// Names the setting of a database that cannot be used.
    private static func check<Value>(_ key: ConfigurationKey<Value>, _ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch {
            throw ToolError("\(key.declaration.name): \(error)")
        }
    }

    /// Returns `false` for a file that the start makes, in a folder where it can.
    private static func isMade(_ path: String) throws(ToolError) -> Bool {
        let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
        if let size, size > 0 { return true }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard FileManager.default.isWritableFile(atPath: size == nil ? folder : path) else {
            throw ToolError("the file cannot be made or written: \(path)")
        }
        return false
    }
}
#endif
