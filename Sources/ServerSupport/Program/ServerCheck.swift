#if Server
package import CommandSupport
package import CredentialServing
package import CredentialServingOperations
import Foundation
import VerificationCore

#if SQLite
import CredentialServingSQLite
package import SQLiteFiles
#endif

/// A check of a server before its start, which makes no file and no table.
package struct ServerCheck {
    package let configuration: ServerConfiguration
    private let store: any SessionStore
    private let console: Console

    /// A check.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - store: The store of sessions.
    ///   - console: The output.
    package init(configuration: ServerConfiguration, store: any SessionStore, console: Console) {
        self.configuration = configuration
        self.store = store
        self.console = console
    }

    /// Prints the configuration if that is wanted, warns of what expires, and opens the databases unless the check is offline.
    ///
    /// - Parameters:
    ///   - invocation: The words of the command.
    ///   - expiries: The certificates and keys that expire.
    ///   - openDatabases: Opens the databases of the server.
    /// - Throws: `ToolError` for a database that cannot be used.
    package func run(
        _ invocation: ServerInvocation,
        _ expiries: ServerExpiries,
        opening openDatabases: (ServerCheck) async throws -> Void
    ) async throws {
        if try configuration.value(of: OperationsKeys.verbose) > 0 { console.output(configuration.description) }
        expiries.warnings.forEach(warn)
        if !invocation.isOffline { try await openDatabases(self) }
        console.output("the configuration is valid")
    }

    package func warn(_ text: String) { console.error("warning: \(text)".escapedForDisplay()) }

    package func openSessions() async throws {
        switch try configuration.value(of: StoreKeys.kind) {
        case "sqlite":
            let path = try configuration.valueIfPresent(of: StoreKeys.file) ?? ""
            try await Self.check(StoreKeys.file) { try await Self.openSessions(inFile: path) }
        case "redis":
            try await Self.check(StoreKeys.kind) { try await store.check() }
            await store.close()
        default: break
        }
    }

    private static func openSessions(inFile path: String) async throws {
        #if SQLite
        guard try hasTables(path) else { return }
        let store = try SQLiteSessionStore(path: path)
        try await store.check()
        await store.close()
        #endif
    }

    #if SQLite
    /// Returns `false` for a file that the start makes, in a folder where it can, and for one without tables.
    package static func hasTables(_ path: String) throws -> Bool {
        let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
        if let size, size > 0 { return try !header(path).isNew }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard FileManager.default.isWritableFile(atPath: size == nil ? folder : path) else {
            throw ToolError("the file cannot be made or written: \(path)")
        }
        return false
    }

    /// The numbers of a file that is there.
    package static func header(_ path: String) throws(ToolError) -> SQLiteHeader {
        let file = try SQLiteFile(path: path) { ToolError($0) }
        do {
            return try file.header()
        } catch {
            throw ToolError("\(SQLiteFailure(error).message): \(path)")
        }
    }
    #endif

    /// Names the setting of a database that cannot be used.
    package static func check<Value>(_ key: ConfigurationKey<Value>, _ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch {
            throw ToolError("\(key.declaration.name): \(error)")
        }
    }
}
#endif
