#if Server
import ArgumentParser
import CommandSupport
import CredentialServing
import CredentialServingHummingbird
import CredentialServingOperations
import Foundation
import IRMAMessages
import IRMAServer
import KeyshareServer
import NIOSSL
import UnixSignals

/// `irma keyshare`: the parts of a keyshare server.
struct KeyshareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keyshare",
        abstract: "Runs a keyshare server, and makes its storage keys.",
        discussion: "MyIRMA pages and e-mail are not supported.",
        subcommands: [KeyshareServerCommand.self, KeyshareKeygenCommand.self]
    )
}

/// `irma keyshare server`: runs a keyshare server.
///
/// Its flags are the keys of its configuration, which ``KeyshareKeys`` declares.
struct KeyshareServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "server",
        abstract: "Runs a keyshare server.",
        helpNames: []
    )

    @Argument(parsing: .captureForPassthrough, help: "The flags; --help lists them.")
    var arguments: [String] = []

    func run() async throws {
        let console = Console.current
        let schema = try KeyshareKeys.schema()
        let loaded = try ServerProgram.load(schema, folders: KeyshareKeys.folders, arguments)
        guard let configuration = loaded else {
            return console.output(
                schema.helpText(
                    program: "irma keyshare server",
                    summary: "Runs a keyshare server, and the IRMA server that issues its login attribute.",
                    folders: KeyshareKeys.folders
                )
            )
        }
        let assembly = try await KeyshareAssembly(configuration, console: console)
        ServerProgram.logMode(assembly.log, configuration, isProduction: assembly.isProduction)
        try await KeyshareRun(assembly: assembly, console: console).run()
    }
}

/// A running keyshare server.
struct KeyshareRun: Sendable {
    let assembly: KeyshareAssembly
    let console: Console
    private let slot = ServerSlot()

    init(assembly: KeyshareAssembly, console: Console) {
        self.assembly = assembly
        self.console = console
    }

    /// Serves until a signal, a graceful shutdown or the task's cancellation.
    func run() async throws {
        let (logger, store, slot) = (assembly.log, assembly.store, slot)
        let first = assembly.material.schemes
        let service = try assembly.service(issuer: SlotIssuer(slot: slot)) {
            slot.server?.material.schemes ?? first
        }
        let listener = HummingbirdServer(
            slot.engine { $0.wallets },
            options: HummingbirdServerOptions(
                host: try assembly.configuration.value(of: ServerKeys.address),
                port: try assembly.configuration.value(of: KeyshareKeys.port),
                certificate: try ServerSettings.certificate(
                    ServerKeys.certificate,
                    ServerKeys.certificateKey,
                    in: assembly.configuration
                )
            ),
            logger: logger
        )
        let metrics = MetricsRegistry()
        try RequestObserver.describeMetrics(in: metrics)
        let health = Health(checks: [HealthCheck("stores") { try await service.check() }], logger: logger)
        let operations = try assembly.operations.port.map { port in
            HummingbirdServer(
                try OperationsEngine(metrics: metrics, health: health),
                options: HummingbirdServerOptions(host: assembly.operations.address, port: port),
                logger: logger
            )
        }
        let composition = try ServerComposition(
            health: health,
            stores: [.closing("sessions") { await store.shutdown() }],
            sweeps: try sweeps(),
            listeners: [ServicePart("wallets", listener)],
            operations: operations.map { ServicePart("operations", $0) },
            drainTime: assembly.operations.drainTime,
            maximumShutdownTime: assembly.operations.drainTime + .seconds(30),
            logger: logger
        )
        try await ServerRun.run(composition) {
            guard let port = try? await listener.port else { return }
            let server = try assembly.sessionServer(port: port)
            let engine = try engine(service, server, metrics)
            slot.fill(server, ServerEngines(wallets: engine, requestors: engine))
            console.output("keyshare server is ready: wallets at \(server.url.dropLast("irma/".count)), port \(port)")
            // The first update does not wait for the interval; its failure does not end the server.
            if try updatesSchemes { try? await updateSchemes() }
        }
    }

    private func engine(
        _ service: KeyshareService,
        _ server: SessionServer,
        _ metrics: MetricsRegistry
    ) throws -> any HTTPEngine {
        let both = try MountedEngines(["/irma": try server.walletEngine(), "/": try service.engine()])
        return try EngineDress(
            logger: assembly.log,
            metrics: metrics,
            operations: assembly.operations,
            proxies: ServerSettings.proxies(in: assembly.configuration)
        ).dressed(both, as: "keyshare")
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

/// Starts the sessions that issue the login attribute in this process.
private struct SlotIssuer: LoginAttributeIssuer {
    let slot: ServerSlot

    func start(_ request: SessionRequest) async throws -> SessionPointer {
        guard let server = slot.server else { throw RemoteError(.internalError) }
        return try await server.start(request).pointer
    }
}
#endif
