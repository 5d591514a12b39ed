#if Server
import ArgumentParser
import CommandSupport
import CredentialServing
import CredentialServingOperations
import CredentialTransport
import CryptoCore
import Foundation
import Logging
import OID4VPVerifier
import ServerSupport

/// The parts of `credential oid4vp serve`, read from its configuration.
struct VerifierServerAssembly: Sendable {
    let configuration: ServerConfiguration
    let operations: OperationsSettings
    let store: any SessionStore
    let server: TransactionServer
    let parties: [String: ServedRelyingParty]
    let metrics: TransactionMetrics

    /// Reads everything.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - operations: The settings of the server's own operations.
    ///   - isCheck: Indicates that no file of a store is opened.
    ///   - console: The clock.
    ///   - logger: The log of transactions and of the store.
    /// - Throws: `ToolError` and the errors of the layers below.
    init(
        _ configuration: ServerConfiguration,
        _ operations: OperationsSettings,
        isCheck: Bool,
        console: Console,
        logger: Logger
    ) throws {
        self.configuration = configuration
        self.operations = operations
        try Self.checkStore(of: configuration)
        let clock = SessionClock(console)
        let factory = SessionStoreFactory(configuration: configuration, prefix: "oid4vp:", clock: clock, logger: logger)
        store = isCheck ? try factory.checked() : try factory.make()
        parties = try Self.relyingParties(in: configuration, clock: console.now)
        let metrics = try TransactionMetrics(of: parties.keys)
        self.metrics = metrics
        let callbacks = try Self.callbackTransport(in: configuration).map {
            LoggedCallbacks($0, logger: logger, countingFailures: metrics.countFailedCallback)
        }
        server = try TransactionServer(
            url: try configuration.value(of: VerifierServerKeys.url),
            relyingParties: parties,
            requestors: try Self.requestors(in: configuration, of: parties.keys.sorted()),
            options: try Self.options(in: configuration),
            services: TransactionServices(
                store: store,
                resultSigner: try Self.resultSigner(in: configuration),
                transport: callbacks,
                observer: TransactionObserver { observation in
                    logger.info("\(observation)")
                    metrics.count(observation)
                },
                clock: clock
            )
        )
        // What would fail after the server has begun to listen, fails here.
        _ = try certificate()
        _ = try configuration.trustedProxies()
        _ = try walletEngine()
        try checkPorts()
    }

    /// Refuses settings of a store that is not the configured one: transactions would be lost with the process.
    private static func checkStore(of configuration: ServerConfiguration) throws {
        let kind = try configuration.value(of: StoreKeys.kind)
        for (key, needed) in [(StoreKeys.file, "sqlite"), (StoreKeys.address, "redis")] where kind != needed {
            guard try configuration.valueIfPresent(of: key)?.isEmpty ?? true else {
                throw ToolError("\(key.declaration.name): needs the store_type \(needed)")
            }
        }
    }

    private func checkPorts() throws {
        let port = try configuration.value(of: VerifierServerKeys.port)
        let others = [try configuration.valueIfPresent(of: VerifierServerKeys.requestorPort), operations.port]
        guard port == 0 || !others.contains(port) else { throw ToolError("port: another listener has the same") }
    }

    // MARK: Engines

    /// Indicates that requestors have a listener of their own.
    var hasRequestorListener: Bool {
        get throws { try configuration.valueIfPresent(of: VerifierServerKeys.requestorPort) != nil }
    }

    /// The certificate of both listeners; nil for plain HTTP, behind a proxy that ends TLS.
    func certificate() throws -> ListenerCertificate? {
        try configuration.certificate(ListenerKeys.certificate, ListenerKeys.certificateKey)
    }

    /// The endpoints of the listener for wallets, with those of requestors unless they have a listener of their own.
    func walletEngine() throws -> any HTTPEngine {
        guard try hasRequestorListener else { return try server.engine() }
        return try MountedEngines([try HTTPURL(server.url).path: try server.walletEngine()])
    }

    // MARK: Parties

    private static func relyingParties(
        in configuration: ServerConfiguration,
        clock: @escaping @Sendable () -> Date
    ) throws -> [String: ServedRelyingParty] {
        let names = configuration.names(in: RelyingPartyKeys.table)
        guard !names.isEmpty else { throw ToolError("\(RelyingPartyKeys.table): none is configured") }
        var parties: [String: ServedRelyingParty] = [:]
        let authorities = try configuration.valueIfPresent(of: VerifierServerKeys.authorityFile)
        // Only callbacks and online statuses need the file. It is read here, so that a wrong path fails without them, too.
        if let authorities { _ = try InputFile(argument: authorities).certificates() }
        for name in names {
            var words = try RelyingPartyKeys.words(of: name, in: configuration)
            if try configuration.value(of: VerifierServerKeys.isDevelopment) { words.append("--dev") }
            if let authorities { words.append("--ca-file=\(authorities)") }
            do {
                parties[name] = try ServedPartyOptions.parse(words).servedParty(clock: clock)
            } catch {
                let message = RelyingPartyKeys.namingMembers(in: ServedPartyOptions.message(for: error))
                throw ToolError("\(RelyingPartyKeys.table).\(name): \(message)")
            }
        }
        return parties
    }

    private static func requestors(
        in configuration: ServerConfiguration,
        of parties: [String]
    ) throws -> [TransactionRequestor] {
        let names = configuration.names(in: "requestors")
        guard !names.isEmpty else { throw ToolError("requestors: none is configured") }
        return try names.map { name in
            let token = try configuration.value(of: VerifierServerKeys.token, named: name).withValue { Array($0.utf8) }
            guard token.allSatisfy({ byte in (UInt8(0x21)...0x7e).contains(byte) }) else {
                throw ToolError("requestors.\(name).token: a space or another character that no token has")
            }
            let own = try configuration.valueIfPresent(of: VerifierServerKeys.relyingParties, named: name)
            return TransactionRequestor(
                name,
                token: SecretBytes(token),
                relyingParties: own ?? parties
            )
        }
    }

    // MARK: Settings

    private static func options(in configuration: ServerConfiguration) throws -> TransactionServerOptions {
        var options = TransactionServerOptions(
            lifetime: try configuration.value(of: VerifierServerKeys.lifetime),
            resultLifetime: try configuration.value(of: VerifierServerKeys.resultLifetime)
        )
        options.resultIssuer = try configuration.value(of: VerifierServerKeys.jwtIssuer)
        return options
    }

    private static func resultSigner(in configuration: ServerConfiguration) throws -> (any Signer)? {
        let key = VerifierServerKeys.jwtPrivateKey
        do {
            return try configuration.valueIfPresent(of: key)?.withValue { try SoftwareSigner(try PrivateKey(pem: $0)) }
        } catch let error as CryptoError {
            throw ToolError("\(key.declaration.name): no private key in PEM: \(error)")
        }
    }

    /// The transport of callbacks; nil for a server without a key that signs results, which refuses them.
    private static func callbackTransport(in configuration: ServerConfiguration) throws -> (any HTTPTransport)? {
        guard try configuration.valueIfPresent(of: VerifierServerKeys.jwtPrivateKey) != nil else { return nil }
        let key = VerifierServerKeys.authorityFile
        return try Network.transport(
            isDevelopment: try configuration.value(of: VerifierServerKeys.isDevelopment),
            trusting: try configuration.valueIfPresent(of: key).map { [InputFile(argument: $0)] } ?? [],
            of: key.declaration.name
        )
    }
}
#endif
