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
    func response(to request: Request, on channel: (any Channel)?) async -> Response {
        let isStream = channel?.isStream ?? false
        let connection = isStream ? channel?.parent : channel
        let interim = InterimResponse(for: request.headers, on: isStream ? nil : channel)
        let serverRequest = ServerRequest(
            head: request.head,
            body: Self.body(of: request, isStream: isStream, after: interim),
            peer: IPAddress(connection?.remoteAddress),
            isOverUnixSocket: connection?.isUnixSocket ?? false,
            shutdown: shutdown
        )
        let body = serverRequest.body
        let answer = await watch.run(on: channel) { [engine] in await engine.response(to: serverRequest) }
        let head = answer.head
        var fields = head.headerFields
        // A response that is made while it is sent may yet read the body.
        if head.status.kind == .successful, answer.body.bytesIfReady == nil { try? await interim?.send() }
        let isAwaited = interim?.omit() ?? false
        let isLast = shutdown.isGiven || request.headers.namesClose
        let lingering = Lingering(after: body, isStream: isStream, isAwaited: isAwaited, isLast: isLast)
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
    private static func body(
        of request: Request,
        isStream: Bool,
        after interim: InterimResponse?
    ) -> ServerRequestBody {
        let fields = request.headers
        let hasBody = fields[.contentLength] != nil || fields[.transferEncoding] != nil
        let mayHaveBody = isStream && request.method != .get && request.method != .head
        guard hasBody || mayHaveBody else { return .none }
        return ServerRequestBody(pieces: BodyPieces(body: request.body, interim: interim))
    }

    private func responseBody(
        _ body: ServerResponseBody,
        on channel: (any Channel)?,
        after request: ServerRequestBody,
        _ lingering: Lingering
    ) -> ResponseBody {
        // A stream of HTTP/2 takes bytes however little its client takes, so many of them are written piece by piece.
        let isLong = channel?.isStream == true && (body.length ?? 0) > PieceWriter.streamSize
        if let bytes = body.bytesIfReady, lingering == .none, !isLong {
            return bytes.isEmpty ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        }
        return ResponseBody(contentLength: body.length) { writer in
            try await self.write(body, to: PieceWriter(writer, on: channel), on: channel)
            try await lingering.end(request, limits)
        }
    }

    private func write(_ body: ServerResponseBody, to pieces: PieceWriter, on channel: (any Channel)?) async throws {
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
    let interim: InterimResponse?

    func makeAsyncIterator() -> Iterator {
        Iterator(body: body.makeAsyncIterator(), interim: interim)
    }

    struct Iterator: AsyncIteratorProtocol {
        var body: RequestBody.AsyncIterator
        let interim: InterimResponse?

        mutating func next() async throws -> [UInt8]? {
            try await interim?.send()
            return try await body.next().map { Array($0.readableBytesView) }
        }
    }
}

extension IPAddress {
    /// The address of a socket; nil for one that is not an address of the Internet Protocol.
    ///
    /// A listener for both versions sees clients of version 4 by mapped addresses, which are read as addresses of
    /// version 4.
    init?(_ address: SocketAddress?) {
        // The systems' structures begin with the family and the port; version 6 has the flow besides.
        switch address {
        case .v4(let address):
            let bytes = withUnsafeBytes(of: address.address) { Array($0[4..<8]) }
            self = .v4(bytes.reduce(0) { $0 << 8 | UInt32($1) })
        case .v6(let address):
            let bytes = withUnsafeBytes(of: address.address) { Array($0[8..<24]) }
            self = IPAddress.v6(bytes.reduce(0) { $0 << 8 | UInt128($1) }).withoutMapping
        case .unixDomainSocket, nil: return nil
        }
    }
}

extension Channel {
    /// Indicates a connection over a socket in the file system.
    fileprivate var isUnixSocket: Bool {
        if case .unixDomainSocket? = localAddress { true } else { false }
    }
}

extension HTTPFields {
    /// Indicates that the options of `Connection` say `close`, in whatever case (RFC 9110, section 7.6.1).
    fileprivate var namesClose: Bool {
        self[values: .connection].contains { value in
            value.lowercased().split { ", \t".contains($0) }.contains("close")
        }
    }
}
#endif
