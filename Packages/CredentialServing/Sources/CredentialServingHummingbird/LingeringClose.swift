#if Server
@_spi(Layers) import CredentialTransport
import NIOCore
import Synchronization

/// The connections of a server, which it can cut off.
final class OpenConnections: Sendable {
    private struct State {
        var isOver = false
        var channels: [ObjectIdentifier: any Channel] = [:]
    }

    let limits: ConnectionLimits
    private let state = Mutex(State())

    init(limits: ConnectionLimits) {
        self.limits = limits
    }

    /// Indicates that connections close without delay from now on.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// The handler next to the socket of a connection.
    func makeHandler() -> any ChannelHandler & Sendable {
        LingeringCloseHandler(self)
    }

    /// Closes all connections at once, and those that are opened later as well.
    func cutOff() {
        let channels = state.withLock { state in
            state.isOver = true
            defer { state.channels = [:] }
            return state.channels.values
        }
        for channel in channels { channel.triggerUserOutboundEvent(CutOff(), promise: nil) }
    }

    fileprivate func add(_ channel: any Channel) {
        let isOver = state.withLock { state in
            state.channels[ObjectIdentifier(channel)] = channel
            return state.isOver
        }
        if isOver { cutOff() }
    }

    fileprivate func remove(_ channel: any Channel) {
        state.withLock { _ = $0.channels.removeValue(forKey: ObjectIdentifier(channel)) }
    }
}

/// Tells a connection to close without delay.
private struct CutOff: Sendable {}

/// Closes a connection after its client has received the whole response.
///
/// A socket that is closed drops what it has not sent yet. If bytes of the client are unread at that time, the client's system
/// drops what the client has not read yet (RFC 9112 section 9.6). So this handler sends everything, closes the output, and
/// reads until the client closes. A client that does not close in the lingering time is cut off, and at any time one that takes
/// nothing for the write timeout. It is unchecked because it is used on the event loop of its channel only.
private final class LingeringCloseHandler: ChannelDuplexHandler, @unchecked Sendable {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private enum State {
        case open
        /// The output is being sent.
        case sending
        /// The output is closed, and what arrives is dropped.
        case reading
        case closed
    }

    private let connections: OpenConnections
    private var state = State.open
    private var hasWritten = false
    private var isInputClosed = false
    private var dropped = 0
    private var timer: Scheduled<Void>?

    init(_ connections: OpenConnections) {
        self.connections = connections
    }

    func handlerAdded(context: ChannelHandlerContext) {
        connections.add(context.channel)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        hasWritten = true
        context.write(data, promise: promise)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode == .all else { return context.close(mode: mode, promise: promise) }
        if let promise { context.channel.closeFuture.cascade(to: promise) }
        guard case .open = state else { return }
        guard hasWritten, context.channel.isActive, !connections.isOver else { return end(context) }
        state = .sending
        let sent = context.eventLoop.makePromise(of: Void.self)
        sent.futureResult.assumeIsolated().whenComplete { _ in self.closeOutput(context) }
        watchProgress(context, rest: Int.max)
        context.writeAndFlush(wrapOutboundOut(.byteBuffer(ByteBuffer())), promise: sent)
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard event is CutOff else { return context.triggerUserOutboundEvent(event, promise: promise) }
        promise?.succeed()
        end(context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .reading = state else { return context.fireChannelRead(data) }
        dropped += unwrapInboundIn(data).readableBytes
        if dropped > connections.limits.lingeringSize { end(context) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        guard case .reading = state else { return context.fireChannelReadComplete() }
        context.read()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if case .open = state {
            if context.channel.isWritable { stopTimer() } else { watchProgress(context, rest: Int.max) }
        }
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed? = event as? ChannelEvent { isInputClosed = true }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        forget(context)
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        forget(context)
    }

    private func closeOutput(_ context: ChannelHandlerContext) {
        guard case .sending = state else { return }
        guard !isInputClosed, context.channel.isActive else { return end(context) }
        state = .reading
        context.close(mode: .output, promise: nil)
        schedule(context, in: connections.limits.lingeringTime) { self.end(context) }
        context.read()
    }

    /// Ends the connection when as much is unsent after the write timeout as before.
    private func watchProgress(_ context: ChannelHandlerContext, rest: Int) {
        schedule(context, in: connections.limits.writeTimeout) {
            let unsent = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
            if unsent < rest { self.watchProgress(context, rest: unsent) } else { self.end(context) }
        }
    }

    private func schedule(
        _ context: ChannelHandlerContext,
        in duration: Duration,
        _ operation: @escaping () -> Void
    ) {
        stopTimer()
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(duration.boundedForTimers), operation)
    }

    private func stopTimer() {
        timer?.cancel()
        timer = nil
    }

    private func end(_ context: ChannelHandlerContext) {
        guard state != .closed else { return }
        forget(context)
        context.close(promise: nil)
    }

    private func forget(_ context: ChannelHandlerContext) {
        state = .closed
        stopTimer()
        connections.remove(context.channel)
    }
}

/// Sends what was written before a connection over TLS closes.
///
/// When a connection over HTTP/2 is to end after its last response, Hummingbird closes it as soon as the last frame is written,
/// before that is flushed, and NIOSSL drops what is not flushed.
final class FlushBeforeCloseHandler: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        context.flush()
        context.close(mode: mode, promise: promise)
    }
}
#endif
