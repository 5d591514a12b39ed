#if Server
import CommandSupport
import CredentialServing
import CredentialServingHummingbird
import CredentialServingOperations
import Logging
import OID4VPVerifier
import ServerSupport

/// A running server of transactions: its listeners, its background work, and its orderly end.
struct VerifierServerRun: Sendable {
    private let assembly: VerifierServerAssembly
    private let logger: Logger
    private let console: Console
    private let health: Health
    private let refusals: RefusalLog

    init(_ assembly: VerifierServerAssembly, logger: Logger, console: Console) {
        self.assembly = assembly
        self.logger = logger
        self.console = console
        refusals = RefusalLog(
            of: [401],
            saying: "a call was refused: its token is missing or unknown",
            logger: logger,
            clock: SessionClock(console)
        )
        let store = assembly.store
        health = Health(checks: [HealthCheck("transactions") { try await store.check() }], logger: logger)
    }

    /// Serves until a signal, a graceful shutdown or the task's cancellation.
    ///
    /// - Parameter hangups: The signals at which the certificate is loaded again.
    func run(renewingAt hangups: Hangups) async throws {
        let (server, store, operations) = (assembly.server, assembly.store, assembly.operations)
        let certificate = try assembly.certificate()
        let wallets = HummingbirdServer(
            try dressed(try assembly.walletEngine(), as: "wallets", isForWallets: true),
            options: try options(VerifierServerKeys.address, port: VerifierServerKeys.port, certificate),
            logger: logger
        )
        let requestors = try requestorListener(certificate)
        let operationsListener = try operations.listener(
            metrics: assembly.metrics.registry,
            health: health,
            logger: logger
        )
        let composition = try ServerComposition(
            health: health,
            stores: [
                .closing("transactions") { await store.close() },
                .closing("results") { await server.finishDeliveries() },
            ],
            sweeps: [ServicePart("expiry", BackgroundService { await server.run() })],
            listeners: [ServicePart("wallets", wallets)] + (requestors.map { [ServicePart("requestors", $0)] } ?? []),
            operations: operationsListener.map { ServicePart("operations", $0) },
            drainTime: operations.drainTime,
            maximumShutdownTime: operations.drainTime + .seconds(30),
            logger: logger
        )
        let renewal = CertificateRenewal([certificate].compactMap(\.self), logger: logger, now: console.now)
        try await composition.run(renewing: renewal, at: hangups) {
            // The composition has the reason why a listener ended.
            guard let port = try? await wallets.port else { return }
            var line = "credential oid4vp serve is ready: wallets at \(server.url), port \(port)"
            if let requestors {
                guard let port = try? await requestors.port else { return }
                line += ", requestors at port \(port)"
            }
            console.output(line)
        }
    }

    private func requestorListener(_ certificate: ListenerCertificate?) throws -> HummingbirdServer? {
        guard try assembly.hasRequestorListener else { return nil }
        return HummingbirdServer(
            try dressed(try assembly.server.requestorEngine(), as: "requestors", isForWallets: false),
            options: try options(
                VerifierServerKeys.requestorAddress,
                port: VerifierServerKeys.requestorPort,
                certificate
            ),
            logger: logger
        )
    }

    private func options(
        _ address: ConfigurationKey<String>,
        port: ConfigurationKey<Int>,
        _ certificate: ListenerCertificate?
    ) throws -> HummingbirdServerOptions {
        HummingbirdServerOptions(
            host: try assembly.configuration.value(of: address),
            port: try assembly.configuration.value(of: port),
            certificate: certificate?.certificate
        )
    }

    /// The engine of a listener.
    ///
    /// - Parameter isForWallets: Indicates the listener that wallets and pages use. The limit is for its clients: a backend with a
    ///   listener of its own has a token.
    private func dressed(_ engine: any HTTPEngine, as name: String, isForWallets: Bool) throws -> any HTTPEngine {
        try EngineDress(
            logger: logger,
            metrics: assembly.metrics.registry,
            operations: assembly.operations,
            proxies: assembly.configuration.trustedProxies()
        ).dressed(
            refusals.observing(engine),
            as: name,
            cors: isForWallets ? CORSPolicy(origins: .any) : nil,
            isLimited: isForWallets,
            loggingFailuresAt: .error
        ) { TransactionServer.response(limitedBy: $0) }
    }
}
#endif
