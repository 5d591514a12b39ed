#if Server
public import CredentialServing
import CredentialTransport
import HTTPTypes
public import Hummingbird
import HummingbirdCore
import HummingbirdHTTP2
public import Logging
import NIOCore
public import ServiceLifecycle
import Synchronization

/// A server for an engine: HTTP/1.1, and with a certificate HTTP/2 as well, over TLS.
///
/// ```swift
/// let server = HummingbirdServer(engine, options: HummingbirdServerOptions(port: 8443, certificate: certificate))
/// try await ServiceGroup(services: [server], gracefulShutdownSignals: [.sigterm], logger: logger).run()
/// ```
///
/// On graceful shutdown the server takes no more connections, ends event streams, and waits for requests in progress.
public final class HummingbirdServer: Service {
    private enum State {
        case idle
        case running(port: Int)
        case ended
    }

    private struct Shared {
        var state = State.idle
        var waiting: [CheckedContinuation<Int?, Never>] = []
        var hasRun = false
    }

    private let responder: EngineResponder
    private let options: HummingbirdServerOptions
    private let logger: Logger
    private let eventLoopGroup: any EventLoopGroup
    private let handshakes = PendingHandshakes()
    private let lingering: LingeringConnections
    private let date = DateField()
    private let shared = Mutex(Shared())

    /// A server.
    ///
    /// - Parameters:
    ///   - engine: Answers the requests.
    ///   - options: The address, the certificate and the limits.
    ///   - eventLoopGroup: The event loops; by default those that NIO shares.
    ///   - logger: The logger for faults of connections, at debug and below.
    public init(
        _ engine: any HTTPEngine,
        options: HummingbirdServerOptions = HummingbirdServerOptions(),
        eventLoopGroup: EventLoopGroupProvider = .singleton,
        logger: Logger = Logger(label: "CredentialServing", factory: { _ in SwiftLogNoOpLogHandler() })
    ) {
        responder = EngineResponder(
            engine: engine,
            watch: ConnectionWatch(),
            shutdown: ShutdownSignal(),
            limits: options.limits
        )
        lingering = LingeringConnections(limits: options.limits)
        self.options = options
        self.eventLoopGroup = eventLoopGroup.eventLoopGroup
        self.logger = logger
    }

    /// The port that the server listens at, when it does.
    ///
    /// With port 0 in the options, it is the one that the system chose.
    ///
    /// - Throws: `ServingError` with code `cannotServe` if the server ends before it listens.
    public var port: Int {
        get async throws(ServingError) {
            let port = await withCheckedContinuation { continuation in
                let known = shared.withLock { shared -> Int?? in
                    switch shared.state {
                    case .idle:
                        shared.waiting.append(continuation)
                        return nil
                    case .running(let port): return .some(port)
                    case .ended: return .some(nil)
                    }
                }
                if let known { continuation.resume(returning: known) }
            }
            guard let port else { throw ServingError(.cannotServe, "the server has ended") }
            return port
        }
    }

    /// The number of connections and streams that are open.
    public var connectionCount: Int { responder.watch.count }

    /// Serves until graceful shutdown, or until the task is cancelled.
    ///
    /// - Throws: `ServingError` with code `cannotServe` if the address cannot be listened at, and for a second run.
    public func run() async throws {
        let isFirst = shared.withLock { shared in
            defer { shared.hasRun = true }
            return !shared.hasRun
        }
        guard isFirst else { throw ServingError(.cannotServe, "the server runs only once") }
        defer { tell(.ended, port: nil) }
        let server = try makeServer()
        let shutdown = responder.shutdown
        let timeout = options.limits.shutdownTimeout
        let failure = await withGracefulShutdownHandler {
            await withTaskGroup(of: (any Error)?.self) { group -> (any Error)? in
                group.addTask {
                    do {
                        try await server.run()
                        return nil
                    } catch {
                        return ServingError(.cannotServe, "the server failed", cause: error)
                    }
                }
                group.addTask { [lingering] in
                    await shutdown.wait()
                    try? await Task.sleep(for: timeout)
                    lingering.end()
                    return nil
                }
                let first = await group.next() ?? nil
                group.cancelAll()
                return first
            }
        } onGracefulShutdown: {
            shutdown.give()
        }
        if let failure { throw failure }
    }

    private func makeServer() throws -> any Service {
        let configuration = ServerConfiguration(
            address: .hostname(options.host, port: options.port),
            availableConnectionsDelegate: .maximum(options.limits.maximumConnections, logger: logger)
        )
        let serve: HTTPChannelHandler.Responder = { [responder, date] request, writer, channel in
            let peer = IPAddress((channel.isStream ? channel.parent ?? channel : channel).remoteAddress)
            var response = await responder.response(to: request, on: channel, peer: peer)
            if response.headers[.date] == nil { response.headers[.date] = date.now }
            try await writer.write(response: response.head, body: response.body)
        }
        let running: @Sendable (any Channel) async -> Void = { [self] channel in
            let port = channel.localAddress?.port ?? 0
            tell(.running(port: port), port: port)
        }
        guard let certificate = options.certificate else {
            let channel = HTTP1Channel(responder: serve, configuration: channelConfiguration)
            return GuardedChannel(base: channel, lingering: lingering, handshakes: nil).server(
                configuration: configuration,
                onServerRunning: running,
                eventLoopGroup: eventLoopGroup,
                logger: logger
            )
        }
        let upgrade = try HTTP2UpgradeChannel(
            tlsConfiguration: certificate.configuration,
            configuration: .init(
                idleTimeout: options.limits.idleTimeout,
                gracefulCloseTimeout: options.limits.shutdownTimeout,
                streamConfiguration: channelConfiguration
            ),
            responder: serve
        )
        return GuardedChannel(base: upgrade, lingering: lingering, handshakes: handshakes).server(
            configuration: configuration,
            onServerRunning: running,
            eventLoopGroup: eventLoopGroup,
            logger: logger
        )
    }

    private var channelConfiguration: HTTP1Channel.Configuration {
        let size = options.limits.maximumHeaderSize
        let (watch, handshakes) = (responder.watch, handshakes)
        return HTTP1Channel.Configuration(
            additionalChannelHandlers: [watch.makeHandler(), handshakes.makeHandler()],
            idleTimeout: TimeAmount(options.limits.idleTimeout),
            httpDecoderConfiguration: .init(maxHeaderFieldSize: size, maxHeaderListSize: size, maxHeaderFieldCount: 200)
        )
    }

    private func tell(_ state: State, port: Int?) {
        let waiting = shared.withLock { shared in
            shared.state = state
            defer { shared.waiting = [] }
            return shared.waiting
        }
        for continuation in waiting { continuation.resume(returning: port) }
    }
}
#endif
