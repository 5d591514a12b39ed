#if Server
import CredentialServing
import CredentialTransport
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import ServiceLifecycle

/// Answers Hummingbird's requests by an engine.
struct EngineResponder: Sendable {
    let engine: any HTTPEngine
    let watch: ConnectionWatch
    let shutdown: ShutdownSignal
    let limits: ConnectionLimits

    /// The response to a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - channel: The channel of the request, where it is known.
    ///   - peer: The address of the connection's other end.
    func response(to request: Request, on channel: (any Channel)?, peer: IPAddress?) async -> Response {
        let isStream = channel?.isStream ?? false
        let serverRequest = ServerRequest(
            head: request.head,
            body: Self.body(of: request, isStream: isStream),
            peer: peer,
            shutdown: shutdown
        )
        let body = serverRequest.body
        let answer = await watch.run(on: channel) { [engine] in await engine.response(to: serverRequest) }
        let head = answer.head
        var fields = head.headerFields
        let lingering = Lingering(after: body, isStream: isStream)
        if lingering == .closes, channel != nil { fields[.connection] = "close" }
        let sent = answer.body(for: request.method)
        let responseBody = self.responseBody(sent, on: channel, after: body, lingering)
        var response = Response(status: head.status, body: responseBody)
        response.headers = fields
        return response
    }

    /// The body of a request; empty if the header announces no body.
    ///
    /// A request over HTTP/2 may have a body without a length. That of a GET is left aside.
    private static func body(of request: Request, isStream: Bool) -> ServerRequestBody {
        let fields = request.headers
        let hasBody = fields[.contentLength] != nil || fields[.transferEncoding] != nil
        let mayHaveBody = isStream && request.method != .get && request.method != .head
        return hasBody || mayHaveBody ? ServerRequestBody(pieces: BodyPieces(body: request.body)) : .none
    }

    private func responseBody(
        _ body: ServerResponseBody,
        on channel: (any Channel)?,
        after request: ServerRequestBody,
        _ lingering: Lingering
    ) -> ResponseBody {
        if let bytes = body.bytesIfReady, lingering == .none {
            return bytes.isEmpty ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        }
        return ResponseBody(contentLength: body.length) { writer in
            let pieces = PieceWriter(writer)
            try await self.write(body, to: pieces, on: channel)
            try await pieces.finish()
            try await lingering.end(request, limits)
        }
    }

    private func write(_ body: ServerResponseBody, to pieces: PieceWriter, on channel: (any Channel)?) async throws {
        if body.bytesIfReady != nil {
            try await body.write { try await pieces.write($0) }
            return
        }
        let limits = limits
        let outcome = await withGracefulShutdownHandler {
            await watch.run(on: channel) { () async -> Result<Void, any Error> in
                do {
                    return .success(try await pieces.run(body, stallingAtMost: limits.writeTimeout))
                } catch {
                    return .failure(error)
                }
            }
        } onGracefulShutdown: {
            shutdown.give()
        }
        try outcome.get()
    }
}

/// The pieces of Hummingbird's body as bytes.
private struct BodyPieces: AsyncSequence, Sendable {
    let body: RequestBody

    func makeAsyncIterator() -> Iterator {
        Iterator(body: body.makeAsyncIterator())
    }

    struct Iterator: AsyncIteratorProtocol {
        var body: RequestBody.AsyncIterator

        mutating func next() async throws -> [UInt8]? {
            try await body.next().map { Array($0.readableBytesView) }
        }
    }
}

extension IPAddress {
    /// The address of a socket; nil for one that is no address of the Internet Protocol.
    ///
    /// A listener for both versions sees clients of version 4 by mapped addresses, which are taken for what they stand for.
    init?(_ address: SocketAddress?) {
        guard let text = address?.ipAddress, let address = IPAddress(text) else { return nil }
        self = address.withoutMapping
    }
}
#endif
