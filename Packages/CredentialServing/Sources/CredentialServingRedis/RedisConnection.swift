#if Redis
@_spi(Layers) import CredentialTransport
import CredentialServing
import NIOCore
import NIOPosix
import NIOSSL

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// One connection to a server: commands are sent as they come, and replies are given in their order.
struct RedisConnection: Sendable {
    private let channel: any Channel

    /// Connects.
    ///
    /// - Parameters:
    ///   - target: The server.
    ///   - tls: TLS, or nil.
    ///   - configuration: Times and limits.
    ///   - onMessage: Takes the payloads of messages, on a connection for notifications.
    /// - Throws: `SessionStoreError`: `unavailable`, or `cancelled` where the task is cancelled first.
    init(
        to target: RedisTarget,
        tls: RedisTLSContext?,
        configuration: RedisSessionConfiguration,
        onMessage: (@Sendable ([UInt8]) -> Void)? = nil
    ) async throws(SessionStoreError) {
        let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(TimeAmount(configuration.connectTimeout.boundedForTimers))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls { try channel.pipeline.syncOperations.addHandler(try tls.handler(for: target)) }
                    try channel.pipeline.syncOperations.addHandler(
                        RedisChannelHandler(
                            configuration: configuration,
                            isOverTLS: tls != nil,
                            onMessage: onMessage
                        )
                    )
                }
            }
        let attempt =
            switch target {
            case .address(let address):
                Self.probing(bootstrap, after: configuration.keepAliveInterval)
                    .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                    .connect(host: address.host, port: address.port)
            case .unixSocket(let path):
                bootstrap.connect(unixDomainSocketPath: path)
            }
        do throws(SessionStoreError) {
            channel = try await attempt.valueUnlessCancelled()
        } catch {
            // The connection may yet come about.
            attempt.whenSuccess { $0.close(promise: nil) }
            throw error.inside(target.description)
        }
    }

    /// Has the system probe a connection that carries nothing, as a firewall may have dropped it.
    ///
    /// The probes also keep it alive. Three without an answer, each after a third of the interval, end it.
    private static func probing(_ bootstrap: ClientBootstrap, after interval: Duration) -> ClientBootstrap {
        let seconds = Int(max(1, min(interval.components.seconds, 32_767)))
        #if canImport(Darwin)
        let idle = TCP_KEEPALIVE
        #else
        let idle = TCP_KEEPIDLE
        #endif
        return bootstrap.channelOption(.socketOption(.so_keepalive), value: 1)
            .channelOption(.tcpOption(.init(rawValue: idle)), value: seconds)
            .channelOption(.tcpOption(.init(rawValue: TCP_KEEPINTVL)), value: max(1, seconds / 3))
            .channelOption(.tcpOption(.init(rawValue: TCP_KEEPCNT)), value: 3)
    }

    /// Runs the first commands, and closes the connection where one fails or the task is cancelled.
    @discardableResult
    func setUp<Value: Sendable>(
        _ commands: () async throws(SessionStoreError) -> Value
    ) async throws(SessionStoreError) -> Value {
        do {
            return try await withTaskCancellationHandler(operation: commands) { close() }
        } catch {
            close()
            guard !Task.isCancelled else { throw SessionStoreError(.cancelled, "the task was cancelled") }
            throw error as? SessionStoreError ?? SessionStoreError(.unavailable, "the connection failed", cause: error)
        }
    }

    /// Indicates that the connection is open.
    var isOpen: Bool { channel.isActive }

    /// Sends a command and waits for its reply, which may be an error of the server.
    ///
    /// - Throws: `SessionStoreError`: `outcomeUnknown` for a change without a reply, else `unavailable`.
    func send(_ command: RedisCommand) async throws(SessionStoreError) -> RedisReply {
        let bytes = try command.encoded()
        let promise = channel.eventLoop.makePromise(of: RedisReply.self)
        let request = RedisRequest(bytes: ByteBuffer(bytes: bytes), promise: promise, isChange: command.isChange)
        channel.writeAndFlush(request).whenFailure { error in
            // Harmless where the handler took the request: it then completes the promise itself, and first.
            promise.fail(SessionStoreError(.unavailable, "the connection is closed", cause: error))
        }
        do {
            return try await promise.futureResult.get()
        } catch {
            throw error as? SessionStoreError
                ?? SessionStoreError(.unavailable, "the connection failed", cause: error)
        }
    }

    /// Sends a command whose reply must not be an error.
    @discardableResult
    func call(_ command: RedisCommand) async throws(SessionStoreError) -> RedisReply {
        let reply = try await send(command)
        if case .error(let text) = reply { throw SessionStoreError(redis: text) }
        return reply
    }

    /// Waits until the connection is closed.
    func waitUntilClosed() async {
        try? await channel.closeFuture.get()
    }

    func close() {
        channel.close(promise: nil)
    }
}

extension EventLoopFuture where Value: Sendable {
    /// Waits for the value, but no longer than until the task is cancelled.
    ///
    /// - Throws: `SessionStoreError`: `cancelled`, or the error of the future, which is else `unavailable`.
    func valueUnlessCancelled() async throws(SessionStoreError) -> Value {
        let promise = eventLoop.makePromise(of: Value.self)
        cascade(to: promise)
        do {
            return try await withTaskCancellationHandler {
                try await promise.futureResult.get()
            } onCancel: {
                promise.fail(SessionStoreError(.cancelled, "the task was cancelled"))
            }
        } catch {
            throw error as? SessionStoreError ?? SessionStoreError(.unavailable, "no connection", cause: error)
        }
    }
}

/// The place of one server.
enum RedisTarget: Sendable, CustomStringConvertible {
    case address(RedisAddress)
    case unixSocket(path: String)

    var description: String {
        switch self {
        case .address(let address): address.description
        case .unixSocket(let path): path
        }
    }
}

/// The TLS of a store's connections.
struct RedisTLSContext: Sendable {
    private let context: NIOSSLContext
    private let serverName: String?

    init(_ tls: RedisTLS) throws(SessionStoreError) {
        do { context = try NIOSSLContext(configuration: tls.configuration) } catch {
            throw SessionStoreError(.invalidConfiguration, "TLS that cannot be set up", cause: error)
        }
        serverName = tls.serverName
    }

    func handler(for target: RedisTarget) throws -> NIOSSLClientHandler {
        if let serverName { return try NIOSSLClientHandler(context: context, serverHostname: serverName) }
        // An address is no server name of RFC 6066; its certificate is checked against the peer's address.
        guard case .address(let address) = target, (try? SocketAddress(ipAddress: address.host, port: 0)) == nil else {
            return try NIOSSLClientHandler(context: context, serverHostname: nil)
        }
        return try NIOSSLClientHandler(context: context, serverHostname: address.host)
    }
}
#endif
