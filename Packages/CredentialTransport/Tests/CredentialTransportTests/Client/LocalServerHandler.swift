#if Client
import NIOCore
import NIOHTTP1
import Synchronization

/// One connection to a ``LocalServer``.
final class LocalServerHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let behavior: LocalServer.Behavior
    private let log: LocalServer.Log
    private let onRequest: @Sendable () -> Void
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []

    init(_ behavior: LocalServer.Behavior, _ log: LocalServer.Log, _ onRequest: @escaping @Sendable () -> Void) {
        self.behavior = behavior
        self.log = log
        self.onRequest = onRequest
    }

    func channelActive(context: ChannelHandlerContext) {
        log.connections.withLock { $0.opened += 1 }
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        log.connections.withLock { $0.closed += 1 }
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): self.head = head
        case .body(let buffer): body += Array(buffer.readableBytesView)
        case .end:
            record()
            onRequest()
            let path = head?.uri ?? ""
            body = []
            behave(behavior, path, context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func record() {
        guard let head else { return }
        let headers = Dictionary(head.headers.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { $1 })
        let request = LocalServer.Received(method: head.method.rawValue, uri: head.uri, headers: headers, body: body)
        log.received.withLock { $0.append(request) }
    }

    private func behave(_ behavior: LocalServer.Behavior, _ path: String, _ context: ChannelHandlerContext) {
        switch behavior {
        case .answer(let status, let headers, let body):
            writeHead(context, status, headers)
            write(context, body)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        case .endlessBody:
            writeHead(context, 200, [("content-type", "application/json")])
            writeForever(context)
        case .partialBody(let bytes, let announced, let closes):
            let headers = [("content-type", "application/json"), ("content-length", String(announced))]
            writeHead(context, 200, headers)
            write(context, bytes)
            context.flush()
            if closes { context.close(promise: nil) }
        case .silence:
            break
        case .close:
            context.close(promise: nil)
        case .byPath(let behaviors):
            behave(behaviors[path] ?? .close, path, context)
        }
    }

    private func writeHead(_ context: ChannelHandlerContext, _ status: Int, _ headers: [(String, String)]) {
        let status = HTTPResponseStatus(statusCode: status)
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: HTTPHeaders(headers))
        context.write(wrapOutboundOut(.head(head)), promise: nil)
    }

    private func write(_ context: ChannelHandlerContext, _ bytes: [UInt8]) {
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: bytes)))), promise: nil)
    }

    /// One piece after the other, each when the one before has gone out; the first that fails is the last.
    private func writeForever(_ context: ChannelHandlerContext) {
        let promise = context.eventLoop.makePromise(of: Void.self)
        let loopBound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        promise.futureResult.whenSuccess {
            let (handler, context) = loopBound.value
            handler.writeForever(context)
        }
        let piece = ByteBuffer(repeating: 0x20, count: 16 * 1024)
        context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(piece))), promise: promise)
    }
}
#endif
