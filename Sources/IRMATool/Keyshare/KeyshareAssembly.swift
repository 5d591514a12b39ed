#if Server
import JSONKit
import CommandSupport
import CredentialServing
import CredentialServingOperations
import CryptoCore
import Foundation
import IRMAMessages
import IRMAServer
import KeyshareServer
import KeyshareServerSQLite
import Logging

#if PostgreSQL
import IRMAPostgreSQL
import KeyshareServerPostgreSQL
#endif

/// The parts of a keyshare server, read from its configuration.
struct KeyshareAssembly: Sendable {
    let configuration: ServerConfiguration
    let isProduction: Bool
    let operations: OperationsSettings
    let source: SchemeSource
    let material: ServerMaterial
    let store: any SessionStore
    let accounts: any KeyshareAccountStore
    private let storageKeys: StorageKeyring
    private let signer: any Signer
    private let logger: Logger
    private let clock: SessionClock

    /// Reads everything.
    ///
    /// - Throws: ``ToolError`` and the errors of the layers below; `KeyshareServerError` for settings of e-mail and MySQL.
    init(_ configuration: ServerConfiguration, console: Console) async throws {
        try Self.refuseUnsupported(configuration)
        self.configuration = configuration
        clock = SessionClock(console)
        isProduction = try configuration.value(of: ServerKeys.isProduction)
        operations = try OperationsSettings(configuration, isProduction: isProduction)
        logger = try ServerProgram.logger("keyshare", operations, isProduction: isProduction, console)
        let path = try configuration.valueIfPresent(of: ServerKeys.schemesPath)
        source = SchemeSource(
            directory: try SchemeFolder.opened(path ?? SchemeFolder.made()),
            privateKeys: try configuration.valueIfPresent(of: ServerKeys.privateKeys).flatMap { $0.isEmpty ? nil : $0 }
        )
        if let assets = try configuration.valueIfPresent(of: ServerKeys.schemesAssetsPath), !assets.isEmpty {
            try await SchemeCopy.copySchemes(from: assets, to: source.directory)
        }
        material = try await source.load()
        storageKeys = try Self.storageKeys(configuration)
        signer = try configuration.value(of: KeyshareKeys.jwtPrivateKey).withValue { pem in
            try RSAKeys.signer(pem: pem, named: "jwt_privkey")
        }
        accounts = try await Self.accounts(configuration, clock: clock)
        store = try SessionStoreFactory(
            configuration: configuration,
            prefix: "keyshare:",
            clock: clock,
            logger: logger
        ).make()
    }

    var log: Logger { logger }

    /// The keyshare server.
    ///
    /// - Parameters:
    ///   - issuer: Starts the sessions that issue the login attribute.
    ///   - currentSchemes: Returns the schemes as they are now, asked at each request.
    func service(
        issuer: any LoginAttributeIssuer,
        schemes currentSchemes: @escaping @Sendable () -> SchemeSnapshot
    ) throws -> KeyshareService {
        let attribute = AttributeIdentifier(try configuration.value(of: KeyshareKeys.attribute))
        let names = try configuration.value(of: KeyshareKeys.schemes)
        let schemes =
            names.isEmpty ? [attribute.credentialType.scheme] : Set(names.map { SchemeIdentifier($0) })
        for scheme in schemes where material.schemes.schemes[scheme]?.keyshareScheme == nil {
            throw ToolError("keyshare_schemes: \(scheme) is no scheme with a keyshare server")
        }
        guard let type = material.schemes.credentialType(attribute.credentialType),
            let name = attribute.attribute, type.baseIndex(of: name) != nil
        else { throw ToolError("keyshare_attribute: unknown attribute \(attribute)") }
        return try KeyshareService(
            storageKeys: storageKeys,
            signer: signer,
            keyID: UInt32(clamping: try configuration.value(of: KeyshareKeys.jwtKeyID)),
            accounts: accounts,
            sessions: store,
            issuerKeys: { KeyshareIssuerKeys(of: schemes, in: currentSchemes()) },
            loginAttribute: try LoginAttribute(attribute),
            loginAttributeIssuer: issuer,
            options: KeyshareServiceOptions(
                issuer: try configuration.value(of: KeyshareKeys.jwtIssuer),
                tokenLifetime: try configuration.value(of: KeyshareKeys.tokenLifetime).components.seconds,
                acceptsUnsignedMessages: try configuration.value(of: KeyshareKeys.acceptsUnsignedMessages),
                recordForm: try configuration.value(of: KeyshareKeys.writesReferenceRecords) ? .reference : .stretched
            ),
            clock: clock.now
        )
    }

    /// The IRMA server that issues the login attribute, over the same store: another instance may get the wallet's requests.
    ///
    /// The keyshare server does not seal its sessions, which have no PIN and no share of a secret; `store_keys` do.
    func sessionServer(port: Int) throws -> SessionServer {
        var url = ServerSettings.replacingPort(in: try configuration.value(of: KeyshareKeys.url), with: port)
        if !url.hasSuffix("/") { url += "/" }
        var options = SessionServerOptions(mode: isProduction ? .production : .development)
        options.allowsPlainHTTP = try configuration.value(of: ServerKeys.disablesTLS)
        let services = SessionServices(store: store, clock: clock)
        return try SessionServer(url: url + "irma/", material: material, options: options, services: services)
    }

    private static func refuseUnsupported(_ configuration: ServerConfiguration) throws {
        var settings: [(name: String, value: String)] = []
        for key in KeyshareKeys.unsupported {
            // The language alone asks for no e-mail.
            guard key.declaration.name != "default_language",
                let value = try configuration.valueIfPresent(of: key)
            else { continue }
            settings.append((key.declaration.name, value.stringValue ?? "\(value)"))
        }
        settings.append(("db_type", try configuration.value(of: KeyshareKeys.database)))
        try UnsupportedKeyshareSettings.refuse(in: settings)
        if let name = settings.first(where: { !$0.value.isEmpty && $0.name != "db_type" })?.name {
            throw ToolError("\(name): this server sends no e-mail")
        }
    }

    private static func storageKeys(_ configuration: ServerConfiguration) throws -> StorageKeyring {
        let file = try configuration.value(of: KeyshareKeys.storageKeyFile)
        let writing = try storageKey(file)
        var others: [StorageKey] = []
        if let folder = try configuration.valueIfPresent(of: KeyshareKeys.fallbackKeys), !folder.isEmpty {
            guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
                throw ToolError("storage_fallback_keys_dir: \(folder) is no readable folder")
            }
            let paths = names.filter { $0.hasSuffix(".key") && !$0.hasPrefix(".") }.sorted().map { folder + "/" + $0 }
            others = try paths.filter { SchemeFolder.absolute($0) != SchemeFolder.absolute(file) }.map(storageKey)
        }
        return try StorageKeyring(writing: writing, reading: others)
    }

    private static func storageKey(_ path: String) throws -> StorageKey {
        var bytes = try InputFile(argument: path).read(sizeLimit: 1024)
        defer { wipe(&bytes) }
        do {
            return try StorageKey(decoding: bytes)
        } catch {
            throw ToolError("\(path) is no storage key: \(error)")
        }
    }

    private static func accounts(
        _ configuration: ServerConfiguration,
        clock: SessionClock
    ) async throws -> any KeyshareAccountStore {
        switch try configuration.value(of: KeyshareKeys.database) {
        case "memory": return MemoryKeyshareAccountStore()
        case "sqlite":
            #if SQLite
            guard let path = try configuration.valueIfPresent(of: KeyshareKeys.databaseAddress) else {
                throw ToolError("db_str: db_type sqlite needs the path of a file")
            }
            return try path.withValue { try SQLiteKeyshareAccountStore(path: $0) }
            #else
            throw ToolError("db_type: this build has no SQLite: build it with the trait SQLite")
            #endif
        case "postgres":
            #if PostgreSQL
            guard let address = try configuration.valueIfPresent(of: KeyshareKeys.databaseAddress) else {
                throw ToolError("db_str: db_type postgres needs a connection string")
            }
            let accounts = try PostgreSQLKeyshareAccountStore(
                configuration: address.withValue { PostgreSQLConfiguration(connectionString: $0) },
                clock: clock
            )
            try await accounts.createTables()
            return accounts
            #else
            throw ToolError("db_type: this build has no PostgreSQL: build it with the trait PostgreSQL")
            #endif
        case let kind: throw ToolError("db_type: this build has no accounts in \(kind)")
        }
    }
}
#endif
