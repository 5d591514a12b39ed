#if Server
import HTTPTypes
import CommandSupport
import CredentialServing
import CredentialServingHummingbird
import CredentialServingOperations
import CredentialTransport
import Foundation
import IRMAMessages
import IRMAServer
import Logging
import ServerSupport

/// A running session server: its listeners, its background work, and its orderly end.
struct ServerRun: Sendable {
    let assembly: SessionServerAssembly
    let logger: Logger
    let console: Console
    private let health: Health
    private let slot = ServerSlot()
    private let refusals: RefusalLog

    init(_ assembly: SessionServerAssembly, logger: Logger, console: Console) {
        self.assembly = assembly
        self.logger = logger
        self.console = console
        health = Self.health(of: assembly, logger: logger)
        // Those of wallets and frontends have the same status, and are no concern of the operator.
        refusals = RefusalLog(
            of: [401, 403],
            saying: "a requestor was refused: it is unknown, its request is too old, or it has no permission",
            logger: logger,
            clock: SessionClock(console)
        )
    }

    /// The health of a server: each database that it needs is asked.
    static func health(of assembly: SessionServerAssembly, logger: Logger) -> Health {
        let store = assembly.store
        var checks = [HealthCheck("sessions") { try await store.check() }]
        if let records = assembly.revocationRecords {
            checks.append(HealthCheck("revocation") { try await records.check() })
        }
        return Health(checks: checks, logger: logger)
    }

    /// Serves until a signal, a graceful shutdown or the task's cancellation.
    ///
    /// - Parameter hangups: The signals at which certificates are loaded again.
    func run(renewingAt hangups: Hangups) async throws {
        let (settings, metrics) = (assembly.settings, assembly.metrics.registry)
        let isSeparate = try settings.hasWalletListener()
        let walletCertificate = try settings.certificate(ofWallets: true)
        let requestorCertificate = isSeparate ? try settings.certificate(ofWallets: false) : nil
        let wallets = HummingbirdServer(
            slot.engine { $0.wallets },
            options: try settings.listenerOptions(ofWallets: true, walletCertificate),
            logger: logger
        )
        let requestors =
            isSeparate
            ? HummingbirdServer(
                slot.engine { $0.requestors },
                options: try settings.listenerOptions(ofWallets: false, requestorCertificate),
                logger: logger
            ) : nil
        let operations = try settings.operations.listener(metrics: metrics, health: health, logger: logger)
        let listeners = [ServicePart("wallets", wallets)] + (requestors.map { [ServicePart("requestors", $0)] } ?? [])
        let composition = try ServerComposition(
            health: health,
            stores: stores(),
            sweeps: try sweeps(),
            listeners: listeners,
            operations: operations.map { ServicePart("operations", $0) },
            drainTime: settings.operations.drainTime,
            maximumShutdownTime: settings.operations.drainTime + .seconds(30),
            logger: logger
        )
        let certificates = [walletCertificate, requestorCertificate].compactMap(\.self)
        let renewal = CertificateRenewal(certificates, logger: logger, now: console.now)
        try await composition.run(renewing: renewal, at: hangups) {
            try await begin(wallets: wallets, requestors: requestors)
        }
    }

    /// Makes the session server when the ports are known, and says that it is ready.
    private func begin(wallets: HummingbirdServer, requestors: HummingbirdServer?) async throws {
        let walletPort: Int
        let requestorPort: Int?
        do {
            walletPort = try await wallets.port
            requestorPort = try await requestors?.port
        } catch {
            // The composition has the reason why a listener ended.
            return
        }
        let server = try assembly.sessionServer(walletPort: walletPort)
        slot.fill(server, try engines(of: server))
        let requestorText = requestorPort.map { ", requestors at port \($0)" } ?? ""
        console.output("irma server is ready: wallets at \(server.url), port \(walletPort)\(requestorText)")
        // The first update does not wait for the interval.
        await server.updateMaterial()
    }

    private func stores() -> [ServicePart] {
        let (store, slot) = (assembly.store, slot)
        return [
            .closing("sessions") { await store.close() },
            .closing("results") { await slot.server?.finishDeliveries() },
        ]
    }

    private func sweeps() throws -> [ServicePart] {
        let (store, slot, logger) = (assembly.store, slot, logger)
        var parts = [
            ServicePart("store", BackgroundService { await store.run() }),
            ServicePart(
                "timeouts",
                SweepService("timeouts", every: .seconds(1), logger: logger) {
                    await slot.server?.endTimedOutSessions()
                }
            ),
        ]
        let interval = try assembly.settings.configuration.value(of: ServerKeys.schemesUpdate)
        if assembly.services.materialSource != nil {
            let sweep = SweepService("schemes", every: interval, logger: logger) {
                await slot.server?.updateMaterial()
            }
            parts.append(ServicePart("schemes", sweep))
        }
        if let authority = assembly.services.revocationAuthority {
            let schemes = assembly.material.schemes
            let service = BackgroundService {
                await authority.run {
                    slot.server?.material.schemes ?? schemes
                } onFailure: { type, error in
                    logger.warning("\(type): \(error)")
                }
            }
            parts.append(ServicePart("revocation", service))
        }
        return parts
    }
}

extension ServerRun {
    /// The engines of both listeners.
    private func engines(of server: SessionServer) throws -> ServerEngines {
        let settings = assembly.settings
        let prefix = try settings.apiPrefix()
        let root = prefix.isEmpty ? "/" : prefix
        let (wallets, requestors) = (try server.walletEngine(), refusals.observing(try server.requestorEngine()))
        guard try settings.hasWalletListener() else {
            let both = try MountedEngines([prefix + "/irma": wallets, root: requestors])
            let engine = try dressed(try withStaticFiles(both), as: "irma")
            return ServerEngines(wallets: engine, requestors: engine)
        }
        let operations = PathSwitch(
            engine: try OperationsEngine(metrics: assembly.metrics.registry, health: health),
            paths: ["/metrics", "/live", "/ready"],
            other: try MountedEngines([root: requestors])
        )
        return ServerEngines(
            wallets: try dressed(try withStaticFiles(try MountedEngines([prefix + "/irma": wallets])), as: "wallets"),
            requestors: try dressed(operations, as: "requestors")
        )
    }

    private func withStaticFiles(_ engine: any HTTPEngine) throws -> any HTTPEngine {
        let settings = assembly.settings
        return try StaticFiles.served(settings.configuration, below: settings.apiPrefix(), before: engine)
    }

    private func dressed(_ engine: any HTTPEngine, as name: String) throws -> any HTTPEngine {
        try EngineDress(
            logger: logger,
            metrics: assembly.metrics.registry,
            operations: assembly.settings.operations,
            proxies: assembly.settings.configuration.trustedProxies()
        ).dressed(engine, as: name, loggingTo: logger, cors: try SessionServer.crossOriginPolicy())
    }
}

/// The engines of a server's listeners.
struct ServerEngines: Sendable {
    let wallets: any HTTPEngine
    let requestors: any HTTPEngine
}
#endif
