#if Server
import CommandSupport
import CredentialServing
import CredentialServingHummingbird
import CredentialTransport
import Foundation
import IRMAMessages
import IRMAServer
import Logging
import ServerSupport
import ServiceLifecycle

/// A session of a server in this process.
struct LocalSession: FollowedSession {
    let server: SessionServer
    let package: SessionPackage

    var pointer: SessionPointer { package.pointer }

    func enablePairing() async throws -> String? {
        try await server.setPairing(.pin, of: package.token).pairingCode
    }

    func completePairing() async throws { try await server.completePairing(of: package.token) }

    func statuses() async throws -> AsyncThrowingStream<SessionStatus, any Error> {
        let statuses = try await server.statuses(of: package.token)
        return AsyncThrowingStream { continuation in
            let task = Task {
                for await status in statuses { continuation.yield(status) }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    func result() async throws -> SessionResult? { try await server.result(of: package.token) }

    func cancel() async { try? await server.cancel(package.token) }
}

/// A server in this process for one session: its wallets' endpoints on a port of this machine.
struct LocalSessionHost: Sendable {
    /// The folder of schemes; the usual one without it.
    let schemes: String?
    /// The folder of schemes that the others were copied from, with private keys of its own; the usual one without it.
    let assets: String?
    let privateKeys: String?
    let url: String?
    let address: String
    let port: Int
    /// The authorities that vouch for other servers, beside the system's.
    let authorities: AuthorityOptions

    /// Runs the server while a closure works with it.
    func run<Value: Sendable>(_ body: @escaping @Sendable (SessionServer) async throws -> Value) async throws -> Value {
        let directory = try SchemeFolder.opened(schemes ?? SchemeFolder.standard())
        let source = SchemeSource(
            directory: directory,
            assets: try SchemeCopy.assets(assets),
            privateKeys: privateKeys
        )
        let logger = Logger(label: "irma") { _ in SwiftLogNoOpLogHandler() }
        let material = try await source.start(over: nil, logger: logger)
        let slot = ServerSlot()
        let listener = HummingbirdServer(
            slot.engine { $0.wallets },
            options: HummingbirdServerOptions(host: address, port: port)
        )
        let service = ServiceGroup(
            services: [listener],
            logger: logger
        )
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                try await service.run()
                return nil
            }
            let listening: Int
            do {
                listening = try await listener.port
            } catch {
                // The listener's own error says why.
                _ = try await group.next()
                throw error
            }
            let server = try sessionServer(material, port: listening)
            let wallets = try server.walletEngine()
            // At the root for a URL of the user's own, below irma/ for the usual one.
            let engine = try MountedEngines(["/irma": wallets, "/": wallets])
            slot.fill(server, ServerEngines(wallets: engine, requestors: engine))
            group.addTask {
                let value = try await body(server)
                await server.finishDeliveries()
                return value
            }
            while let value = try await group.next() {
                guard let value else { continue }
                // The wallet still waits for the answer that ended the session.
                await service.triggerGracefulShutdown()
                try await group.waitForAll()
                return value
            }
            throw ToolError("the server ended before the session")
        }
    }

    private func sessionServer(_ material: ServerMaterial, port: Int) throws -> SessionServer {
        let given = url ?? "http://\(LocalAddress.first ?? "localhost"):port/irma/"
        return try SessionServer(
            url: ServerSettings.replacingPort(in: given, with: port),
            material: material,
            options: Self.options,
            services: try services(material)
        )
    }

    /// The requestor is the user of the command, who names the URLs that results go to.
    private static var options: SessionServerOptions {
        var options = SessionServerOptions(mode: .development)
        options.allowsUnsignedCallbacks = true
        return options
    }

    private func services(_ material: ServerMaterial) throws(ToolError) -> SessionServices {
        let clock = SessionClock(.current)
        #if Client
        let transport = try GuardedHTTPTransport.ofCommand(.operators, trusting: authorities)
        return SessionServices(
            transport: transport,
            timestampKeys: RemoteTimestampKeys(transport: transport, clock: clock.now),
            // Asks the servers of the schemes.
            revocation: RevocationAuthorityService(
                settings: [:],
                records: InMemoryRevocationRecords(),
                issuerKeys: material.issuerKeys,
                transport: transport,
                clock: clock
            ),
            clock: clock
        )
        #else
        return SessionServices(clock: clock)
        #endif
    }
}
#endif
