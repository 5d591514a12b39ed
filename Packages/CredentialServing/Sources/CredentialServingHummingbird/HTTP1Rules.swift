#if Server
import NIOCore
import NIOHTTP1

/// Holds a connection over HTTP/1 to rules that depend on the version, which Hummingbird's handlers do not see.
final class HTTP1Rules: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    func handlerAdded(context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        // A stream of HTTP/2 has no such parser.
        guard let parser = try? pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self) else { return }
        do {
            try pipeline.addHandler(HTTP1RulesHandler(), position: .after(parser))
        } catch {
            context.fireErrorCaught(error)
        }
    }
}

/// Refuses requests without one valid `Host` or with a transfer coding that nobody here undoes, and answers clients of HTTP/1.0
/// in their own terms.
///
/// Those cannot read chunks: a body without a length ends with the connection (RFC 9112, sections 6.1 and 6.3).
private final class HTTP1RulesHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// The requests whose responses have not ended: true for those before HTTP/1.1.
    private var areOld = CircularBuffer<Bool>()
    private var isRefused = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRefused else { return }
        guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        let isOld = (head.version.major, head.version.minor) < (1, 1)
        guard hasValidHost(head, isOptional: isOld), hasKnownCodings(head, isOld: isOld) else {
            isRefused = true
            // Hummingbird answers an error of the parser with 400 and closes the connection.
            return context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
        }
        areOld.append(isOld)
        if isOld {
            head.headers.replaceOrAdd(name: "Connection", value: "close")
            // There is no response 100 in HTTP/1.0 (RFC 9110, section 10.1.1).
            head.headers.remove(name: "Expect")
        }
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        var part = unwrapOutboundIn(data)
        switch part {
        case .head(var head):
            if areOld.first == true {
                head.version = .http1_0
                part = .head(head)
            }
        case .end: _ = areOld.popFirst()
        case .body: break
        }
        context.write(wrapOutboundOut(part), promise: promise)
    }

    /// Indicates one field with the characters of a host and a port (RFC 9112, section 3.2).
    ///
    /// It is empty for a target without a host.
    private func hasValidHost(_ head: HTTPRequestHead, isOptional: Bool) -> Bool {
        let hosts = head.headers["Host"]
        guard let host = hosts.first else { return isOptional }
        // The parser leaves white space at the end.
        let name = host.utf8.reversed().drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        return hosts.count == 1 && name.allSatisfy(isHostByte)
    }

    /// Indicates chunks as the only transfer coding, or none: the parser would hand on what others hold as it is (RFC 9112,
    /// section 6.1).
    private func hasKnownCodings(_ head: HTTPRequestHead, isOld: Bool) -> Bool {
        let codings = head.headers[canonicalForm: "Transfer-Encoding"]
        return codings.isEmpty || !isOld && codings.count == 1 && codings[0].lowercased() == "chunked"
    }

    private func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~%!$&'()*+,;=:[]".utf8.contains(byte)
        }
    }
}
#endif
