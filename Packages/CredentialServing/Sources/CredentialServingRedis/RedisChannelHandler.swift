#if Redis
@_spi(Layers) import CredentialTransport
package import CredentialServing
package import NIOCore

/// A command on its way, and the promise of its reply.
package struct RedisRequest: Sendable {
    let bytes: ByteBuffer
    let promise: EventLoopPromise<RedisReply>
    let isChange: Bool

    package init(bytes: ByteBuffer, promise: EventLoopPromise<RedisReply>, isChange: Bool) {
        self.bytes = bytes
        self.promise = promise
        self.isChange = isChange
    }
}

/// Matches replies to commands in their order, and closes the connection when a reply is late or malformed.
///
/// A reply that is late gets another tenth of the time: where this process had no processor for so long, the reply may be
/// there and unread.
package final class RedisChannelHandler: ChannelDuplexHandler {
    package typealias InboundIn = ByteBuffer
    package typealias OutboundIn = RedisRequest
    package typealias OutboundOut = ByteBuffer

    private struct Pending {
        let promise: EventLoopPromise<RedisReply>
        let isChange: Bool
        var deadline: NIODeadline
        var isLate = false
    }

    private let reader: RedisReplyReader
    private let timeout: TimeAmount
    private let maximumPending: Int
    private let isOverTLS: Bool
    private let onMessage: (@Sendable ([UInt8]) -> Void)?
    /// Indicates that the server has sent something, over TLS after the handshake.
    private var hasRead = false
    private var pending: CircularBuffer<Pending> = []
    private var isWatching = false
    private var failure: SessionStoreError?

    package init(
        configuration: RedisSessionConfiguration,
        isOverTLS: Bool = false,
        onMessage: (@Sendable ([UInt8]) -> Void)? = nil
    ) throws(SessionStoreError) {
        // The largest reply of the store has six parts, those of the log-in and the sentinels a few more.
        reader = try RedisReplyReader(maximumSize: configuration.maximumReplySize, maximumElements: 1024)
        timeout = TimeAmount(configuration.commandTimeout.boundedForTimers)
        maximumPending = configuration.maximumPendingCommands
        self.isOverTLS = isOverTLS
        self.onMessage = onMessage
    }

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let request = unwrapOutboundIn(data)
        guard failure == nil, context.channel.isActive else {
            request.promise.fail(failure ?? SessionStoreError(.unavailable, "the connection is closed"))
            promise?.succeed()
            return
        }
        guard pending.count < maximumPending else {
            request.promise.fail(SessionStoreError(.unavailable, "\(maximumPending) commands wait for replies"))
            promise?.succeed()
            return
        }
        let deadline = context.eventLoop.now + timeout
        pending.append(Pending(promise: request.promise, isChange: request.isChange, deadline: deadline))
        watch(context, until: deadline)
        context.write(wrapOutboundOut(request.bytes), promise: nil)
        promise?.succeed()
    }

    /// Looks at the oldest command when its time is up: one timer serves all commands.
    private func watch(_ context: ChannelHandlerContext, until deadline: NIODeadline) {
        guard !isWatching else { return }
        isWatching = true
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(deadline: deadline) {
            let (handler, context) = bound.value
            handler.isWatching = false
            handler.check(context)
        }
    }

    private func check(_ context: ChannelHandlerContext) {
        guard failure == nil, let oldest = pending.first else { return }
        let now = context.eventLoop.now
        guard oldest.deadline <= now else { return watch(context, until: oldest.deadline) }
        guard !oldest.isLate else {
            // A server without TLS waits for the rest of a command that it does not know.
            let message = isOverTLS && !hasRead ? "no reply in time: the server may not speak TLS" : "no reply in time"
            return fail(context, SessionStoreError(.unavailable, message))
        }
        let deadline = now + .nanoseconds(timeout.nanoseconds / 10)
        pending[pending.startIndex].deadline = deadline
        pending[pending.startIndex].isLate = true
        watch(context, until: deadline)
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard failure == nil else { return }
        hasRead = true
        let buffer = unwrapInboundIn(data)
        let outcome = unsafe buffer.withUnsafeReadableBytes { bytes in
            Result { () throws(SessionStoreError) in unsafe try reader.read(bytes) }
        }
        switch outcome {
        case .success(let replies): for reply in replies { take(reply, context) }
        case .failure(let error): fail(context, error)
        }
    }

    private func take(_ reply: RedisReply, _ context: ChannelHandlerContext) {
        guard failure == nil else { return }
        if let onMessage, let parts = reply.parts, parts.first?.text == "message" {
            if let payload = parts.last?.bytes { onMessage(payload) }
        } else if let next = pending.popFirst() {
            next.promise.succeed(reply)
        } else {
            fail(context, SessionStoreError(.unavailable, "a reply without a command"))
        }
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail(context, SessionStoreError(.unavailable, "the connection failed", cause: error))
    }

    package func channelInactive(context: ChannelHandlerContext) {
        fail(context, SessionStoreError(.unavailable, "the connection was closed"))
        context.fireChannelInactive()
    }

    /// Fails what waits: changes may have been made, so their outcome is unknown.
    private func fail(_ context: ChannelHandlerContext, _ error: SessionStoreError) {
        guard failure == nil else { return }
        failure = error
        while let next = pending.popFirst() {
            next.promise.fail(
                next.isChange
                    ? SessionStoreError(.outcomeUnknown, "the change was sent, and not answered", cause: error) : error
            )
        }
        context.close(promise: nil)
    }
}
#endif
