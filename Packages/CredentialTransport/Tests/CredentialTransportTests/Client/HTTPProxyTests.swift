#if Client
import CredentialTransport
import NIOCore
import NIOPosix
import Synchronization
import Testing

/// Connections through a proxy go to the address that was checked.
@Suite struct HTTPProxyTests {
    /// Records what a client says first, and refuses it as a proxy does.
    private final class RefusingProxy: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let requests: Requests

        init(_ requests: Requests) {
            self.requests = requests
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            requests.add(String(buffer: unwrapInboundIn(data)))
            let answer = ByteBuffer(string: "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
            context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
        }
    }

    private final class Requests: Sendable {
        private let texts = Mutex<[String]>([])
        var first: String? { texts.withLock { $0.first } }
        func add(_ text: String) { texts.withLock { $0.append(text) } }
    }

    @Test(arguments: ["http", "https"])
    func asksForTheCheckedAddress(scheme: String) async throws {
        let requests = Requests()
        let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { $0.pipeline.addHandler(RefusingProxy(requests)) }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(server.localAddress?.port)
        let proxy = HTTPProxy(
            host: "127.0.0.1",
            port: UInt16(port),
            authorization: .basic(username: "user", password: "pass")
        )
        let transport = GuardedHTTPTransport(
            connector: AsyncHTTPClientConnector(proxy: proxy),
            addressGuard: AddressGuard(plainHTTP: true),
            resolver: FixedHostResolver(["issuer.example": [IPAddress.v4(0x5db8_d822)]]),
            clock: GatedClock()
        )
        let url = try HTTPURL("\(scheme)://issuer.example/jwks")
        let limits = HTTPLimits(timeout: .seconds(3600))
        await #expect(throws: TransportError.self) {
            try await transport.response(to: .get(url, accepting: [.json], limits: limits))
        }
        let request = try #require(requests.first)
        #expect(request.hasPrefix("CONNECT 93.184.216.34:\(url.port) HTTP/1.1\r\n"))
        #expect(request.lowercased().contains("proxy-authorization: basic dxnlcjpwyxnz"))
        #expect(!request.contains("jwks"))
        #expect(!"\(proxy)".contains("pass"))
        try await server.close()
    }
}
#endif
