#if Server
import CredentialServing
import NIOCore
import Synchronization

/// The connections of a server, and the requests that are cancelled when one of them is gone.
///
/// A request over HTTP/2 has a channel of its own, which counts as a connection here.
final class ConnectionWatch: Sendable {
    private struct Connection {
        var isGone = false
        var cancel: (@Sendable () -> Void)?
    }

    private let connections = Mutex<[ObjectIdentifier: Connection]>([:])

    /// The number of connections that are open.
    var count: Int { connections.withLock { $0.values.count { !$0.isGone } } }

    /// A handler that tells of one connection.
    func makeHandler() -> any RemovableChannelHandler {
        ConnectionWatchHandler(self)
    }

    /// Runs an operation, and cancels it when the client of the connection goes away or the caller's task is cancelled.
    func run<Value: Sendable>(
        on channel: (any Channel)?,
        _ operation: @escaping @Sendable () async -> Value
    ) async -> Value {
        let task = Task.startingHere(operation)
        let key = channel.map { ObjectIdentifier($0) }
        if let key, isGone(key, orElse: { task.cancel() }) { task.cancel() }
        defer { if let key { forget(key) } }
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private func isGone(_ key: ObjectIdentifier, orElse cancel: @escaping @Sendable () -> Void) -> Bool {
        connections.withLock { connections in
            // A connection without the handler, in another's server, is not watched.
            guard let connection = connections[key] else { return false }
            if !connection.isGone { connections[key]?.cancel = cancel }
            return connection.isGone
        }
    }

    private func forget(_ key: ObjectIdentifier) {
        connections.withLock { $0[key]?.cancel = nil }
    }

    fileprivate func add(_ key: ObjectIdentifier) {
        connections.withLock { $0[key] = Connection() }
    }

    fileprivate func lose(_ key: ObjectIdentifier) {
        let cancel = connections.withLock { connections in
            defer {
                connections[key]?.isGone = true
                connections[key]?.cancel = nil
            }
            return connections[key]?.cancel
        }
        cancel?()
    }

    fileprivate func remove(_ key: ObjectIdentifier) {
        lose(key)
        connections.withLock { $0[key] = nil }
    }
}

/// Tells of the end of a connection.
private final class ConnectionWatchHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    private let watch: ConnectionWatch

    init(_ watch: ConnectionWatch) {
        self.watch = watch
    }

    func handlerAdded(context: ChannelHandlerContext) {
        watch.add(ObjectIdentifier(context.channel))
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        watch.remove(ObjectIdentifier(context.channel))
    }

    func channelInactive(context: ChannelHandlerContext) {
        watch.lose(ObjectIdentifier(context.channel))
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // A client of HTTP/1.1 that will send nothing more is taken for gone; in HTTP/2 that is the end of every request.
        if case ChannelEvent.inputClosed? = event as? ChannelEvent, !context.channel.isStream {
            watch.lose(ObjectIdentifier(context.channel))
        }
        context.fireUserInboundEventTriggered(event)
    }
}

extension Channel {
    /// Indicates a stream of a connection: the listener is the parent's parent.
    var isStream: Bool { parent?.parent != nil }
}
#endif
