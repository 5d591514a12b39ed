#if Server
@_spi(Layers) import CredentialTransport
import HummingbirdCore
import Logging
import NIOCore
import NIOSSL
import Synchronization

/// A channel whose end does not lose what was written, and which closes if no request comes in time.
///
/// Hummingbird watches over a connection once it knows its protocol. TLS comes before that. A connection over HTTP/2 that has
/// been idle is closed when its client answers a PING, which a client need not do.
struct GuardedChannel<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base
    let connections: OpenConnections
    /// The connections without a request; nil for a server without TLS.
    let idle: IdleConnections?

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        idle?.add(channel)
        return base.setup(channel: channel, logger: logger).flatMapThrowing { value in
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(connections.makeHandler(), position: .first)
            if idle != nil {
                let tls = try pipeline.handler(type: NIOSSLServerHandler.self)
                try pipeline.addHandler(FlushBeforeCloseHandler(), position: .after(tls))
            }
            return value
        }
    }

    func handle(value: Base.Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
    }
}

/// Closes connections over TLS on which no protocol is agreed in time, and those over HTTP/2 without a request.
final class IdleConnections: Sendable {
    private struct Connection {
        var requests = 0
        var timer: Scheduled<Void>?
    }

    private let limits: ConnectionLimits
    private let connections = Mutex<[ObjectIdentifier: Connection]>([:])

    init(limits: ConnectionLimits) {
        self.limits = limits
    }

    func add(_ channel: any Channel) {
        let key = ObjectIdentifier(channel)
        connections.withLock { $0[key] = Connection(timer: timer(limits.handshakeTimeout, channel)) }
        channel.closeFuture.whenComplete { _ in self.remove(key) }
    }

    /// A handler for a connection over HTTP/1.1, whose protocol is agreed, or for a request over HTTP/2.
    func makeHandler() -> any RemovableChannelHandler {
        Handler(self)
    }

    private func timer(_ time: Duration, _ channel: any Channel) -> Scheduled<Void> {
        channel.eventLoop.scheduleTask(in: TimeAmount(time.boundedForTimers)) { channel.close(promise: nil) }
    }

    private func remove(_ key: ObjectIdentifier) {
        connections.withLock { $0.removeValue(forKey: key) }?.timer?.cancel()
    }

    private func requestBegins(on connection: any Channel) {
        connections.withLock { connections -> Scheduled<Void>? in
            let key = ObjectIdentifier(connection)
            defer { connections[key]?.timer = nil }
            connections[key]?.requests += 1
            return connections[key]?.timer
        }?.cancel()
    }

    private func requestEnds(on connection: any Channel) {
        // The client has the lingering time to agree to the end of an idle connection.
        let time = limits.idleTimeout + limits.lingeringTime
        connections.withLock { connections in
            let key = ObjectIdentifier(connection)
            connections[key]?.requests -= 1
            if connections[key]?.requests == 0 { connections[key]?.timer = timer(time, connection) }
        }
    }

    private final class Handler: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = Any

        private let idle: IdleConnections

        init(_ idle: IdleConnections) {
            self.idle = idle
        }

        func handlerAdded(context: ChannelHandlerContext) {
            if context.channel.isStream, let connection = context.channel.parent {
                idle.requestBegins(on: connection)
            } else {
                idle.remove(ObjectIdentifier(context.channel))
            }
        }

        func handlerRemoved(context: ChannelHandlerContext) {
            if context.channel.isStream, let connection = context.channel.parent {
                idle.requestEnds(on: connection)
            }
        }
    }
}
#endif
