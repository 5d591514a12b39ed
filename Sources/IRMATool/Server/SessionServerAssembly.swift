#if Server
import CommandSupport
import CredentialServing
import CredentialServingOperations
import CredentialTransport
import CryptoCore
import Foundation
import IRMAMessages
import IRMAServer
import Logging
import ServerSupport

/// The parts of a session server, read from its configuration.
struct SessionServerAssembly: Sendable {
    let settings: ServerSettings
    let source: SchemeSource
    let material: ServerMaterial
    let requestors: RequestorRegistry
    let staticSessions: [String: RequestorMessage]
    let options: SessionServerOptions
    var services: SessionServices
    let metrics: SessionMetrics
    let store: any SessionStore
    /// The issuers of SD-JWT copies, or nil for none.
    let copyIssuers: CertifiedCopyIssuers?
    /// The records of revocation that lie in a database, or nil.
    var revocationRecords: (any RevocationRecords)?
    /// The transport of schemes, or nil for a build without one.
    let schemeTransport: (any HTTPStreamingTransport)?

    /// Reads everything but the URL.
    ///
    /// - Parameters:
    ///   - settings: The configuration.
    ///   - isCheck: Indicates that nothing is to be fetched or written.
    ///   - console: The clock.
    ///   - logger: The log of the stores.
    /// - Throws: ``ToolError`` and the errors of the layers below.
    init(_ settings: ServerSettings, isCheck: Bool = false, console: Console, logger: Logger) async throws {
        self.settings = settings
        let configuration = settings.configuration
        try settings.checkListeners()
        schemeTransport = try Self.transport(AddressGuard(), settings)
        source =
            isCheck
            ? try await SchemeSource.checked(by: configuration)
            : try await SchemeSource.prepared(by: configuration, fetchingOver: schemeTransport)
        material = isCheck ? try await source.load() : try await source.start(over: schemeTransport, logger: logger)
        requestors = try settings.requestors()
        staticSessions = try settings.staticSessions()
        options = try settings.sessionOptions(material.schemes)
        let clock = SessionClock(console)
        let factory = SessionStoreFactory(
            configuration: configuration,
            prefix: "irma:",
            limits: SessionServer.sessionLimits,
            clock: clock,
            logger: logger
        )
        store = isCheck ? try factory.checked() : try factory.make()
        var services = SessionServices(store: store, clock: clock)
        services.resultSigner = try settings.resultSigner()
        copyIssuers = try settings.copyIssuers(material.schemes)
        services.copyIssuer = copyIssuers
        let callbackTransport = try Self.transport(settings.callbackGuard(), settings)
        let metrics = try SessionMetrics()
        self.metrics = metrics
        services.transport = callbackTransport.map {
            LoggedCallbacks($0, logger: logger, countingFailures: metrics.countFailedCallback)
        }
        services.observer = SessionObserver { metrics.count($0) }
        // A developer's scheme may name servers for timestamps and revocation on this machine.
        let schemeServers = settings.isProduction ? schemeTransport : callbackTransport
        if let schemeServers {
            services.timestampKeys = RemoteTimestampKeys(transport: schemeServers, clock: console.now)
        }
        let types = try settings.revocationSettings(material)
        try settings.checkRevocationRecords(for: types) { logger.warning($0) }
        let records: any RevocationRecords =
            isCheck
            ? InMemoryRevocationRecords()
            : LoggedRevocationRecords(try await settings.revocationRecords(clock: clock), logger: logger)
        revocationRecords = try !isCheck && settings.hasRevocationDatabase ? records : nil
        // A server that the operator names may be in the operator's own network.
        let namesServers = types.values.contains { $0.serverURL != nil }
        let revocationTransport = try namesServers ? Self.transport(.operators, settings) : schemeServers
        let revocation = Self.revocation(types, records, material, revocationTransport, clock)
        services.revocationAuthority = revocation
        services.revocation = revocation
        if let schemeTransport, try configuration.value(of: ServerKeys.schemesUpdate) > .zero {
            services.materialSource = SchemeUpdates(source: source, transport: schemeTransport, logger: logger)
        }
        self.services = services
        // What would fail at the first request, or after the server has begun to listen, fails here.
        try StaticFiles.check(configuration)
        _ = try sessionServer(walletPort: 1)
    }

    /// The accumulators of credential types that can be revoked: those of the server's own authority, and those of others.
    private static func revocation(
        _ types: [CredentialTypeIdentifier: RevocationSettings],
        _ records: any RevocationRecords,
        _ material: ServerMaterial,
        _ transport: (any HTTPStreamingTransport)?,
        _ clock: SessionClock
    ) -> RevocationAuthorityService {
        guard let transport else {
            return RevocationAuthorityService(
                roles: types.mapValues(\.role),
                records: records,
                issuerKeys: material.issuerKeys,
                clock: clock
            )
        }
        return RevocationAuthorityService(
            settings: types,
            records: records,
            issuerKeys: material.issuerKeys,
            transport: transport,
            clock: clock
        )
    }

    /// The session server.
    ///
    /// - Parameter port: The port of the listener for wallets.
    func sessionServer(walletPort port: Int) throws -> SessionServer {
        try SessionServer(
            url: try settings.url(port: port),
            material: material,
            requestors: requestors,
            staticSessions: staticSessions,
            options: options,
            services: services
        )
    }

    /// A transport that trusts the authorities of the configuration, or nil for a build without one.
    private static func transport(
        _ addressGuard: AddressGuard,
        _ settings: ServerSettings
    ) throws -> (any HTTPStreamingTransport)? {
        #if Client
        let key = ServerKeys.authorityFile
        let file = try settings.configuration.valueIfPresent(of: key).map { InputFile(argument: $0) }
        return try GuardedHTTPTransport.ofCommand(
            addressGuard,
            trusting: [file].compactMap(\.self),
            of: key.declaration.name
        )
        #else
        nil
        #endif
    }
}
#endif
