#if Server
import CommandSupport
import CredentialServing
import CredentialServingOperations
import IRMAMessages
import IRMAServer
import Logging

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

    /// Reads everything.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - name: The name of the server in the log and in the keys of its sessions.
    ///   - console: The clock.
    /// - Throws: ``ToolError`` and the errors of the layers below.
    init(_ configuration: ServerConfiguration, name: String, console: Console) async throws {
        self.configuration = configuration
        clock = SessionClock(console)
        isProduction = try configuration.value(of: ServerKeys.isProduction)
        operations = try OperationsSettings(configuration, isProduction: isProduction)
        log = try ServerProgram.logger(name, operations, isProduction: isProduction, console)
        source = try await SchemeSource.prepared(by: configuration)
        material = try await source.load()
        store = try SessionStoreFactory(
            configuration: configuration,
            prefix: name + ":",
            clock: clock,
            logger: log
        ).make()
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
