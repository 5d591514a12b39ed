#if Server
import CommandSupport
import CredentialServing
import CredentialServingHummingbird
import CredentialServingOperations
import IRMAMessages
import IRMAServer
import Logging
import ServerSupport

/// A running server of accounts, beside its IRMA server at `/irma`.
struct AccountServerRun: Sendable {
    private let assembly: AccountServerAssembly
    private let name: String
    private let console: Console
    private let slot = ServerSlot()

    /// A run.
    ///
    /// - Parameters:
    ///   - assembly: The parts.
    ///   - name: The name of the server in its ready line and in metrics.
    ///   - console: The output.
    init(_ assembly: AccountServerAssembly, name: String, console: Console) {
        self.assembly = assembly
        self.name = name
        self.console = console
    }

    /// The IRMA server.
    ///
    /// - Throws: A `RemoteError` before the server is ready.
    var server: SessionServer {
        get throws(RemoteError) {
            guard let server = slot.server else { throw RemoteError(.internalError) }
            return server
        }
    }

    /// The schemes as they are now.
    var schemes: SchemeSnapshot { slot.server?.material.schemes ?? assembly.material.schemes }

    /// Serves an engine until a signal, a graceful shutdown or the task's cancellation.
    ///
    /// - Parameters:
    ///   - engine: The server of accounts.
    ///   - hangups: The signals at which the certificate is loaded again.
    ///   - cors: Its policy for scripts of other origins, which the refusals of the limit on requests follow.
    ///   - check: Throws an error if its stores cannot serve.
    func run(
        _ engine: any HTTPEngine,
        renewingAt hangups: Hangups,
        cors: CORSPolicy? = nil,
        checking check: @escaping @Sendable () async throws -> Void
    ) async throws {
        let (logger, store, slot) = (assembly.log, assembly.store, slot)
        let certificate = try assembly.configuration.certificate(
            ServerKeys.certificate,
            ServerKeys.certificateKey
        )
        let listener = HummingbirdServer(
            slot.engine { $0.wallets },
            options: HummingbirdServerOptions(
                host: try assembly.configuration.value(of: ServerKeys.address),
                port: try assembly.configuration.value(of: KeyshareKeys.port),
                certificate: certificate?.certificate
            ),
            logger: logger
        )
        let metrics = MetricsRegistry()
        try RequestObserver.describeMetrics(in: metrics)
        let health = Health(checks: [HealthCheck("stores") { try await check() }], logger: logger)
        let operations = try assembly.operations.listener(metrics: metrics, health: health, logger: logger)
        let composition = try ServerComposition(
            health: health,
            stores: [.closing("sessions") { await store.close() }],
            sweeps: try sweeps(),
            listeners: [ServicePart("wallets", listener)],
            operations: operations.map { ServicePart("operations", $0) },
            drainTime: assembly.operations.drainTime,
            maximumShutdownTime: assembly.operations.drainTime + .seconds(30),
            logger: logger
        )
        let renewal = CertificateRenewal([certificate].compactMap(\.self), logger: logger, now: console.now)
        try await composition.run(renewing: renewal, at: hangups) {
            guard let port = try? await listener.port else { return }
            let server = try assembly.sessionServer(port: port)
            let both = try dressed(engine, server, metrics, cors)
            slot.fill(server, ServerEngines(wallets: both, requestors: both))
            console.output("\(name) server is ready: wallets at \(server.url.dropLast("irma/".count)), port \(port)")
            // The first update does not wait for the interval; its failure does not end the server.
            if try updatesSchemes { try? await updateSchemes() }
        }
    }

    private func dressed(
        _ engine: any HTTPEngine,
        _ server: SessionServer,
        _ metrics: MetricsRegistry,
        _ cors: CORSPolicy?
    ) throws -> any HTTPEngine {
        let both = try MountedEngines(["/irma": try server.walletEngine(), "/": engine])
        return try EngineDress(
            logger: assembly.log,
            metrics: metrics,
            operations: assembly.operations,
            proxies: assembly.configuration.trustedProxies()
        ).dressed(both, as: name, loggingTo: assembly.log, cors: cors)
    }

    private func sweeps() throws -> [ServicePart] {
        let store = assembly.store
        var parts = [ServicePart("store", BackgroundService { await store.run() })]
        let interval = try assembly.configuration.value(of: ServerKeys.schemesUpdate)
        if try updatesSchemes {
            let sweep = SweepService("schemes", every: interval, logger: assembly.log) { try await updateSchemes() }
            parts.append(ServicePart("schemes", sweep))
        }
        return parts
    }

    private var updatesSchemes: Bool {
        get throws { try assembly.configuration.value(of: ServerKeys.schemesUpdate) > .zero }
    }

    private func updateSchemes() async throws {
        guard let transport = try SchemeNetwork.transportIfBuilt(),
            let material = try await assembly.source.update(over: transport, logger: assembly.log)
        else { return }
        slot.server?.replaceMaterial(material)
    }
}
#endif
