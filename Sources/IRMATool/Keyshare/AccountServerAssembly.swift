#if Server
import CommandSupport
import CredentialServing
import CredentialServingOperations
import IRMAMessages
import IRMAServer
import Logging
import ServerSupport

/// The parts that the servers of accounts share, read from a configuration: schemes, sessions, and an IRMA server of their own.
struct AccountServerAssembly: Sendable {
    let configuration: ServerConfiguration
    let isProduction: Bool
    let operations: OperationsSettings
    let source: SchemeSource
    let material: ServerMaterial
    let store: any SessionStore
    let log: Logger
    let clock: SessionClock

    /// The summary of a check in the help.
    static let summaryOfCheck = """
        Checks the configuration, opens the databases, connects to the mail server, and warns of certificates and keys that have \
        expired or expire within 30 days. --offline, a flag that no file can have, opens and connects to nothing.
        """

    /// Reads everything.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - name: The name of the server in the log and in the keys of its sessions.
    ///   - isCheck: Indicates that nothing is to be fetched or written.
    ///   - console: The clock.
    /// - Throws: ``ToolError`` and the errors of the layers below.
    init(_ configuration: ServerConfiguration, name: String, isCheck: Bool, console: Console) async throws {
        self.configuration = configuration
        clock = SessionClock(console)
        isProduction = try configuration.value(of: ServerKeys.isProduction)
        operations = try OperationsSettings(configuration, isProduction: isProduction)
        log = try ServerProgram.logger(
            name,
            operations,
            keeping: TrafficLog<AnyEngine>.keptKeys,
            isProduction: isProduction,
            console
        )
        source =
            isCheck
            ? try await SchemeSource.checked(by: configuration) : try await SchemeSource.prepared(by: configuration)
        material =
            isCheck
            ? try await source.load()
            : try await source.start(over: SchemeNetwork.transportIfBuilt(), logger: log)
        let factory = SessionStoreFactory(
            configuration: configuration,
            prefix: name + ":",
            clock: clock,
            logger: log
        )
        store = isCheck ? try factory.checked() : try factory.make()
        ServerProgram.logMode(log, configuration, isProduction: isProduction)
    }

    /// The IRMA server of the server's sessions, over the same store: another instance may get the wallet's requests.
    ///
    /// Its sessions are not sealed but by `store_keys`: they have no PIN and no share of a secret.
    func sessionServer(port: Int) throws -> SessionServer {
        var url = ServerSettings.replacingPort(in: try configuration.value(of: KeyshareKeys.url), with: port)
        if !url.hasSuffix("/") { url += "/" }
        var options = SessionServerOptions(mode: isProduction ? .production : .development)
        options.allowsPlainHTTP = try configuration.value(of: ServerKeys.disablesTLS)
        options.offersEventStreams = try configuration.value(of: ServerKeys.usesEventStreams)
        let services = SessionServices(store: store, clock: clock)
        return try SessionServer(url: url + "irma/", material: material, options: options, services: services)
    }

    /// Checks what a start reads after it has begun to listen, and what a check reads outside of the configuration.
    func check(_ invocation: ServerInvocation, _ console: Console) async throws {
        _ = try configuration.certificate(ServerKeys.certificate, ServerKeys.certificateKey)
        _ = try configuration.trustedProxies()
        _ = try sessionServer(port: 1)
        let expiries = try ServerExpiries(self, at: console.now())
        let check = ServerCheck(configuration: configuration, store: store, console: console)
        try await check.run(invocation, expiries) { check in
            try await check.openSessions()
            try await check.openAccounts()
        }
    }

    /// Refuses an attribute that the schemes do not have.
    func attribute(_ name: String, _ key: String) throws(ToolError) -> AttributeIdentifier {
        let attribute = AttributeIdentifier(name)
        guard let type = material.schemes.credentialType(attribute.credentialType),
            let name = attribute.attribute, type.baseIndex(of: name) != nil
        else { throw ToolError("\(key): unknown attribute \(attribute)") }
        return attribute
    }
}
#endif
