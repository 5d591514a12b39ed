#if Server
public import CredentialServing
@_spi(Layers) import CredentialTransport
import HTTPTypes
public import Hummingbird
import HummingbirdCore
import HummingbirdHTTP2
public import Logging
import NIOCore
public import ServiceLifecycle
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A server for an engine: HTTP/1.1, and with a certificate HTTP/2 as well, over TLS.
///
/// ```swift
/// let server = HummingbirdServer(engine, options: HummingbirdServerOptions(port: 8443, certificate: certificate))
/// try await ServiceGroup(services: [server], gracefulShutdownSignals: [.sigterm], logger: logger).run()
/// ```
///
/// A request of HTTP/1.1 with no `Host` or several is refused with 400 (RFC 9112, section 3.2). Clients of HTTP/1.0 get no
/// chunks, and their connection closes after the response.
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
        var hasRun = false
    }

    private let responder: EngineResponder
    private let options: HummingbirdServerOptions
    private let logger: Logger
    private let eventLoopGroup: any EventLoopGroup
    private let idle: IdleConnections
    private let connections: OpenConnections
    private let date = DateField()
    private let shared = Mutex(Shared())
    /// Given when the server listens or has ended.
    private let isSettled = ShutdownSignal()

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
        idle = IdleConnections(limits: options.limits)
        connections = OpenConnections(limits: options.limits)
        self.options = options
        self.eventLoopGroup = eventLoopGroup.eventLoopGroup
        self.logger = logger
    }

    /// The port that the server listens at, when it does.
    ///
    /// With port 0 in the options, it is the one that the system chose.
    ///
    /// - Throws: `ServingError` with code `cannotServe` if the server ends before it listens, `cancelled` if the task is
    ///   cancelled.
    public var port: Int {
        get async throws(ServingError) {
            await isSettled.wait()
            switch shared.withLock({ $0.state }) {
            case .running(let port): return port
            case .ended: throw ServingError(.cannotServe, "the server has ended")
            case .idle: throw ServingError(.cancelled, "the task was cancelled")
            }
        }
    }

    /// The error of a server that ended by itself.
    private static func failure(_ error: any Error, options: HummingbirdServerOptions) -> ServingError {
        let reasons = [
            EADDRINUSE: "the address is in use", EACCES: "the permission is missing",
            EADDRNOTAVAIL: "this machine does not have the address",
        ]
        guard let code = (error as? IOError)?.errnoCode, let reason = reasons[code] else {
            return ServingError(.cannotServe, "the server failed", cause: error)
        }
        return ServingError(.cannotServe, "\(options.host) cannot be listened at on port \(options.port): \(reason)")
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
        defer { settle(.ended) }
        let server = try makeServer()
        let shutdown = responder.shutdown
        let options = options
        let timeout = options.limits.shutdownTimeout
        let failure = await withGracefulShutdownHandler {
            await withTaskGroup(of: (any Error)?.self) { group -> (any Error)? in
                group.addTask {
                    do {
                        try await server.run()
                        return nil
                    } catch {
                        return Self.failure(error, options: options)
                    }
                }
                group.addTask { [connections] in
                    await shutdown.wait()
                    try? await Task.sleep(for: timeout.boundedForTimers)
                    connections.cutOff()
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
        let writeTimeout = options.limits.writeTimeout
        let serve: HTTPChannelHandler.Responder = { [responder, date] request, writer, channel in
            var response = await responder.response(to: request, on: channel)
            if response.headers[.date] == nil { response.headers[.date] = date.now }
            try await writer.write(response: response.head, body: response.body)
            if channel.isStream { channel.closeStream(after: writeTimeout) }
        }
        let running: @Sendable (any Channel) async -> Void = { [self] channel in
            settle(.running(port: channel.localAddress?.port ?? 0))
        }
        guard let certificate = options.certificate else {
            let channel = HTTP1Channel(responder: serve, configuration: channelConfiguration)
            return GuardedChannel(base: channel, connections: connections, idle: nil).server(
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
        return GuardedChannel(base: upgrade, connections: connections, idle: idle).server(
            configuration: configuration,
            onServerRunning: running,
            eventLoopGroup: eventLoopGroup,
            logger: logger
        )
    }

    private var channelConfiguration: HTTP1Channel.Configuration {
        let size = options.limits.maximumHeaderSize
        let (watch, idle) = (responder.watch, idle)
        return HTTP1Channel.Configuration(
            additionalChannelHandlers: [HTTP1Rules(), watch.makeHandler(), idle.makeHandler()],
            idleTimeout: TimeAmount(options.limits.idleTimeout.boundedForTimers),
            httpDecoderConfiguration: .init(maxHeaderFieldSize: size, maxHeaderListSize: size, maxHeaderFieldCount: 200)
        )
    }

    private func settle(_ state: State) {
        shared.withLock { $0.state = state }
        isSettled.give()
    }
}

extension Channel {
    /// Closes a stream whose client does not take the rest of its response in time.
    fileprivate func closeStream(after time: Duration) {
        let timer = eventLoop.scheduleTask(in: TimeAmount(time.boundedForTimers)) { self.close(promise: nil) }
        closeFuture.whenComplete { _ in timer.cancel() }
    }
}

/// The address, the certificate and the limits of a ``HummingbirdServer``.
public struct HummingbirdServerOptions: Sendable {
    /// The address to listen at, as a name or a number: 127.0.0.1 by default.
    public var host: String
    /// The port to listen at, or 0 for one that the system chooses: 8080 by default.
    public var port: Int
    /// The certificate for TLS, or nil for plain HTTP/1.1, behind a proxy.
    public var certificate: ServerCertificate?
    /// The limits for connections.
    public var limits: ConnectionLimits

    /// Sets the options; omitted ones have their defaults.
    public init(
        host: String = "127.0.0.1",
        port: Int = 8080,
        certificate: ServerCertificate? = nil,
        limits: ConnectionLimits = ConnectionLimits()
    ) {
        self.host = host
        self.port = port
        self.certificate = certificate
        self.limits = limits
    }
}
#endif
