#if Server
import HummingbirdCore
import Logging
import NIOCore
import NIOSSL
import Synchronization

/// A channel whose end does not lose what was written, and that is closed if TLS and its first request's header do not come in
/// time.
///
/// Hummingbird watches over a connection once it knows its protocol. TLS comes before that.
struct GuardedChannel<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base
    let lingering: LingeringConnections
    /// The handshakes under way; nil for a server without TLS.
    let handshakes: PendingHandshakes?

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        if let handshakes { guardHandshake(of: channel, handshakes) }
        return base.setup(channel: channel, logger: logger).flatMapThrowing { value in
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(lingering.makeHandler(), position: .first)
            if handshakes != nil {
                let tls = try pipeline.handler(type: NIOSSLServerHandler.self)
                try pipeline.addHandler(FlushBeforeCloseHandler(), position: .after(tls))
            }
            return value
        }
    }

    func handle(value: Base.Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
    }

    private func guardHandshake(of channel: any Channel, _ handshakes: PendingHandshakes) {
        let key = ObjectIdentifier(channel)
        handshakes.add(key)
        let timer = channel.eventLoop.scheduleTask(in: TimeAmount(lingering.limits.handshakeTimeout)) {
            if handshakes.isPending(key) { channel.close(promise: nil) }
        }
        channel.closeFuture.whenComplete { _ in
            timer.cancel()
            handshakes.remove(key)
        }
    }
}

/// The connections on which no protocol has been agreed yet.
final class PendingHandshakes: Sendable {
    private let pending = Mutex<Set<ObjectIdentifier>>([])

    func add(_ key: ObjectIdentifier) {
        pending.withLock { _ = $0.insert(key) }
    }

    func isPending(_ key: ObjectIdentifier) -> Bool {
        pending.withLock { $0.contains(key) }
    }

    func remove(_ key: ObjectIdentifier) {
        pending.withLock { _ = $0.remove(key) }
    }

    /// A handler for a connection whose protocol is agreed, or for a stream of it.
    func makeHandler() -> any RemovableChannelHandler {
        Handler(handshakes: self)
    }

    private final class Handler: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = Any

        private let handshakes: PendingHandshakes

        init(handshakes: PendingHandshakes) {
            self.handshakes = handshakes
        }

        func handlerAdded(context: ChannelHandlerContext) {
            let channel = context.channel
            let connection = channel.isStream ? channel.parent ?? channel : channel
            handshakes.remove(ObjectIdentifier(connection))
        }
    }
}
#endif
