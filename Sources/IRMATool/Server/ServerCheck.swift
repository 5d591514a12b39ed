#if Server
import CommandSupport
import CredentialServing
import CredentialServingOperations
import Foundation
import IRMAServer
import VerificationCore

#if PostgreSQL
import IRMAServerPostgreSQL
#endif
#if SQLite
import CredentialServingSQLite
import IRMAServerSQLite
import SQLiteFiles
#endif

/// A check of a server before its start, which makes no file and no table.
struct ServerCheck {
    let configuration: ServerConfiguration
    /// The store of sessions.
    let store: any SessionStore
    let console: Console

    /// Prints the configuration if that is wanted, warns of what expires, and opens the databases unless the check is offline.
    ///
    /// - Parameters:
    ///   - invocation: The words of the command.
    ///   - expiries: The certificates and keys that expire.
    ///   - openDatabases: Opens the databases of the server.
    /// - Throws: ``ToolError`` for a database that cannot be used.
    func run(
        _ invocation: ServerInvocation,
        _ expiries: ServerExpiries,
        opening openDatabases: (ServerCheck) async throws -> Void
    ) async throws {
        if try configuration.value(of: OperationsKeys.verbose) > 0 { console.output(configuration.description) }
        expiries.warnings.forEach(warn)
        if !invocation.isOffline { try await openDatabases(self) }
        console.output("the configuration is valid")
    }

    func warn(_ text: String) { console.error("warning: \(text)".escapedForDisplay()) }

    func openSessions() async throws {
        switch try configuration.value(of: StoreKeys.kind) {
        case "sqlite":
            let path = try configuration.valueIfPresent(of: StoreKeys.file) ?? ""
            try await Self.check(StoreKeys.file) { try await Self.openSessions(inFile: path) }
        case "redis":
            try await Self.check(StoreKeys.kind) { try await store.check() }
            await store.shutdown()
        default: break
        }
    }

    func openRevocationRecords() async throws {
        let key = ServerKeys.revocationDatabaseAddress
        guard let address = try configuration.valueIfPresent(of: key)?.withValue({ $0 }) else { return }
        switch try configuration.valueIfPresent(of: ServerKeys.revocationDatabase) {
        case "sqlite": try await Self.check(key) { try await Self.openRecords(inFile: address) }
        case "postgres": try await Self.check(key) { try await openRecords(inDatabase: address) }
        default: break
        }
    }

    // MARK: Files

    private static func openSessions(inFile path: String) async throws {
        #if SQLite
        guard try hasTables(path) else { return }
        let store = try SQLiteSessionStore(path: path)
        try await store.check()
        await store.shutdown()
        #endif
    }

    private static func openRecords(inFile path: String) async throws {
        #if SQLite
        guard try hasTables(path) else { return }
        let records = try SQLiteRevocationRecords(path: path)
        try await records.check()
        try records.shutDown()
        #endif
    }

    #if SQLite
    /// Returns `false` for a file that the start makes, in a folder where it can, and for one without tables.
    static func hasTables(_ path: String) throws -> Bool {
        let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
        if let size, size > 0 { return try !header(path).isNew }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard FileManager.default.isWritableFile(atPath: size == nil ? folder : path) else {
            throw ToolError("the file cannot be made or written: \(path)")
        }
        return false
    }

    /// The numbers of a file that is there.
    static func header(_ path: String) throws(ToolError) -> SQLiteHeader {
        let file = try SQLiteFile(path: path) { ToolError($0) }
        do {
            return try file.header()
        } catch {
            throw ToolError("\(SQLiteFailure(error).message): \(path)")
        }
    }
    #endif

    // MARK: Databases

    private func openRecords(inDatabase address: String) async throws {
        #if PostgreSQL
        let records = try PostgreSQLRevocationRecords(
            configuration: PostgreSQLConfiguration(connectionString: address)
        )
        defer { records.shutDown() }
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

    /// Names the setting of a database that cannot be used.
    static func check<Value>(_ key: ConfigurationKey<Value>, _ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch {
            throw ToolError("\(key.declaration.name): \(error)")
        }
    }
}
#endif
