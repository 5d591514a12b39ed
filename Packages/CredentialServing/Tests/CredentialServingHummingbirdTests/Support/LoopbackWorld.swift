#if Server
import CredentialServing
import CredentialServingHummingbird
import Hummingbird
import Logging
import NIOCore
import NIOSSL
import ServiceLifecycle
import ServingContracts

/// Runs an engine on a server at a port of this machine.
struct LoopbackWorld: HTTPServingWorld {
    enum Kind: CaseIterable {
        /// The server of this package.
        case server
        /// The server of this package, with HTTP/1.1 over TLS.
        case tls
        /// The server of this package, with HTTP/2.
        case http2
        /// An app of Hummingbird's with the engine in its router.
        case router
    }

    let kind: Kind

    func run(
        _ engine: any HTTPEngine,
        _ operation: @escaping @Sendable (any HTTPServingPeer) async throws -> Void
    ) async throws {
        switch kind {
        case .server:
            try await Self.run(engine) { port, stop in
                try await operation(Peer(port: port, prefix: "", tls: nil, isHTTP2: false, stop: stop))
            }
        case .tls, .http2:
            let kind = kind
            let identity = try TestIdentity()
            let options = HummingbirdServerOptions(port: 0, certificate: try identity.certificate())
            try await Self.run(engine, options) { port, stop in
                let tls = try identity.clientContext(protocols: kind == .http2 ? ["h2"] : ["http/1.1"])
                try await operation(Peer(port: port, prefix: "", tls: tls, isHTTP2: kind == .http2, stop: stop))
            }
        case .router:
            try await Self.runRouter(engine) { port, stop in
                try await operation(Peer(port: port, prefix: "/mount", tls: nil, isHTTP2: false, stop: stop))
            }
        }
    }

    /// Runs an engine on a server of this package.
    static func run(
        _ engine: any HTTPEngine,
        _ options: HummingbirdServerOptions = HummingbirdServerOptions(port: 0),
        _ operation: @escaping @Sendable (_ port: Int, _ stop: Stop) async throws -> Void
    ) async throws {
        let server = HummingbirdServer(engine, options: options)
        try await serve(server, port: { try await server.port }, operation)
        // A connection that its client dropped while it was accepted ends by itself.
        while server.connectionCount > 0 { await Task.yield() }
    }

    /// Runs an engine in an app of Hummingbird, below `/mount`.
    static func runRouter(
        _ engine: any HTTPEngine,
        at address: BindAddress = .hostname("127.0.0.1", port: 0),
        _ operation: @escaping @Sendable (_ port: Int, _ stop: Stop) async throws -> Void
    ) async throws {
        let mount = try EngineMount(engine, at: "/mount")
        let router = Router(context: EngineRequestContext.self)
        router.get("/") { _, _ in "app" }
        router.add(mount)
        let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
        let app = Application(
            router: router,
            server: .http1(configuration: .init(additionalChannelHandlers: mount.channelHandlers())),
            configuration: ApplicationConfiguration(address: address),
            onServerRunning: { continuation.yield($0.localAddress?.port ?? 0) },
            logger: silent
        )
        try await serve(
            app,
            port: {
                for await port in ports { return port }
                return 0
            },
            operation
        )
    }

    private static var silent: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }

    private static func serve(
        _ service: any Service,
        port: @escaping @Sendable () async throws -> Int,
        _ operation: @escaping @Sendable (_ port: Int, _ stop: Stop) async throws -> Void
    ) async throws {
        let group = ServiceGroup(configuration: .init(services: [service], logger: silent))
        let running = Task { try await group.run() }
        let stop = Stop {
            await group.triggerGracefulShutdown()
            try await running.value
        }
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(try await operation(try await port(), stop))
        } catch {
            outcome = .failure(error)
        }
        try await stop()
        try outcome.get()
    }

    /// Stops the server, and returns when it has stopped.
    struct Stop: Sendable {
        let action: @Sendable () async throws -> Void

        func callAsFunction() async throws { try await action() }
    }

    struct Peer: HTTPServingPeer {
        let port: Int
        let prefix: String
        let tls: NIOSSLContext?
        let isHTTP2: Bool
        let stop: Stop

        func open(_ request: InMemoryRequest) async throws -> any HTTPServingExchange {
            var request = request
            request.head.path = prefix + (request.head.path ?? "/")
            let client = try await WireClient.connect(to: port, tls: tls, isHTTP2: isHTTP2)
            try await client.begin(request)
            return client
        }

        func shutDown() async throws {
            try await stop()
        }
    }
}
#endif
