#if Server
import CredentialServing
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL
import ServingContracts
import Synchronization

/// A client of HTTP/1.1 or HTTP/2 over a connection of its own.
///
/// It reads only when it is asked to, so that a server waits for it.
final class WireClient: HTTPServingExchange {
    private let channel: any Channel
    private let connection: any Channel
    private let inbox: Inbox
    private let end: ShutdownSignal

    private init(channel: any Channel, connection: any Channel, inbox: Inbox, end: ShutdownSignal = ShutdownSignal()) {
        self.channel = channel
        self.connection = connection
        self.inbox = inbox
        self.end = end
    }

    /// Connects to a port of this machine; with TLS if there is a context.
    static func connect(to port: Int, tls: NIOSSLContext? = nil, isHTTP2: Bool = false) async throws -> WireClient {
        if let tls, isHTTP2 { return try await connectHTTP2(to: port, tls) }
        let inbox = Inbox()
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.autoRead, value: false)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let tls {
                        try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: "localhost"))
                    }
                    try pipeline.addHTTPClientHandlers()
                    try pipeline.addHandler(WireClientHandler(inbox))
                }
            }
            .connect(host: "127.0.0.1", port: port)
            .get()
        // The handshake reads from here to the first part.
        if tls != nil { channel.read() }
        return WireClient(channel: channel, connection: channel, inbox: inbox)
    }

    private static func connectHTTP2(to port: Int, _ tls: NIOSSLContext) async throws -> WireClient {
        let (inbox, end) = (Inbox(), ShutdownSignal())
        let connection = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = try NIOSSLClientHandler(context: tls, serverHostname: "localhost")
                    try channel.pipeline.syncOperations.addHandler(handler)
                    _ = try channel.pipeline.syncOperations.configureHTTP2Pipeline(
                        mode: .client,
                        connectionConfiguration: .init(),
                        streamConfiguration: .init()
                    ) { $0.eventLoop.makeSucceededVoidFuture() }
                    try channel.pipeline.syncOperations.addHandler(GoAwayHandler(end))
                }
            }
            .connect(host: "127.0.0.1", port: port)
            .get()
        let multiplexer = try await connection.pipeline.handler(type: NIOHTTP2Handler.self)
            .flatMap { $0.multiplexer }
            .get()
        let promise = connection.eventLoop.makePromise(of: (any Channel).self)
        multiplexer.createStreamChannel(promise: promise) { stream in
            stream.eventLoop.makeCompletedFuture {
                try stream.syncOptions?.setOption(.autoRead, value: false)
                let pipeline = stream.pipeline.syncOperations
                try pipeline.addHandler(HTTP2FramePayloadToHTTP1ClientCodec(httpProtocol: .https))
                try pipeline.addHandler(WireClientHandler(inbox))
            }
        }
        return WireClient(channel: try await promise.futureResult.get(), connection: connection, inbox: inbox, end: end)
    }

    /// Waits until the server has told which stream of HTTP/2 is the last one.
    func waitForLastStream() async {
        await end.wait()
    }

    /// Sends the header of a request, and its body if it has one.
    func begin(_ request: InMemoryRequest) async throws {
        var headers = HTTPHeaders(request.head.headerFields.map { ($0.name.rawName, $0.value) })
        headers.replaceOrAdd(name: "Host", value: "localhost")
        let head = HTTPRequestHead(
            version: .http1_1,
            method: HTTPMethod(rawValue: request.head.method.rawValue),
            uri: request.head.path ?? "/",
            headers: headers
        )
        try await write(.head(head))
        guard let body = request.body else { return }
        if !body.isEmpty { try await send(body) }
        try await finish()
    }

    func send(_ piece: [UInt8]) async throws {
        try await write(.body(.byteBuffer(ByteBuffer(bytes: piece))))
    }

    func finish() async throws {
        try await write(.end(nil))
    }

    func head() async throws -> HTTPResponse {
        if let head = inbox.head { return head }
        guard case .head(let head)? = try await part() else { throw ClientError.noResponse }
        var fields = HTTPFields()
        for (name, value) in head.headers {
            if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
        }
        let response = HTTPResponse(status: .init(code: Int(head.status.code)), headerFields: fields)
        inbox.head = response
        return response
    }

    func next() async throws -> [UInt8]? {
        _ = try await head()
        guard case .body(let buffer)? = try await part() else { return nil }
        return Array(buffer.readableBytesView)
    }

    /// Forgets the response, so that another request can be made over the connection.
    func reset() {
        inbox.head = nil
    }

    func disconnect() async {
        try? await channel.close()
        try? await connection.close()
    }

    private func write(_ part: HTTPClientRequestPart) async throws {
        try await channel.writeAndFlush(part)
    }

    private func part() async throws -> HTTPClientResponsePart? {
        let channel = channel
        return try await inbox.next { channel.read() }
    }
}

/// Tells of the second GOAWAY of a server, which names the last stream (RFC 9113 section 6.8).
private final class GoAwayHandler: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame

    private let end: ShutdownSignal

    init(_ end: ShutdownSignal) {
        self.end = end
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .goAway(let last, _, _) = unwrapInboundIn(data).payload, last != .maxID { end.give() }
        context.fireChannelRead(data)
    }
}

enum ClientError: Error {
    case noResponse
    case connectionClosed
}

/// The parts of responses that have come, for one reader.
private final class Inbox: Sendable {
    private typealias Waiter = CheckedContinuation<HTTPClientResponsePart?, any Error>

    private struct State {
        var head: HTTPResponse?
        var parts: [HTTPClientResponsePart] = []
        var waiter: Waiter?
        var failure: (any Error)?
    }

    private let state = Mutex(State())

    var head: HTTPResponse? {
        get { state.withLock { $0.head } }
        set { state.withLock { $0.head = newValue } }
    }

    var isWaiting: Bool { state.withLock { $0.waiter != nil } }

    func next(_ read: () -> Void) async throws -> HTTPClientResponsePart? {
        try await withCheckedThrowingContinuation { continuation in
            let ready = state.withLock { state -> Result<HTTPClientResponsePart?, any Error>? in
                if !state.parts.isEmpty { return .success(state.parts.removeFirst()) }
                if let failure = state.failure { return .failure(failure) }
                state.waiter = continuation
                return nil
            }
            if let ready { continuation.resume(with: ready) } else { read() }
        }
    }

    func add(_ part: HTTPClientResponsePart) {
        let waiter = state.withLock { state -> Waiter? in
            defer { state.waiter = nil }
            if state.waiter == nil { state.parts.append(part) }
            return state.waiter
        }
        waiter?.resume(returning: part)
    }

    func fail(_ error: any Error) {
        let waiter = state.withLock { state -> Waiter? in
            if state.failure == nil { state.failure = error }
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(throwing: error)
    }
}

private final class WireClientHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    private let inbox: Inbox

    init(_ inbox: Inbox) {
        self.inbox = inbox
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        inbox.add(unwrapInboundIn(data))
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // What was read was less than a part.
        if inbox.isWaiting { context.read() }
        context.fireChannelReadComplete()
    }

    func channelInactive(context: ChannelHandlerContext) {
        inbox.fail(ClientError.connectionClosed)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        inbox.fail(error)
        context.close(promise: nil)
    }
}
#endif
