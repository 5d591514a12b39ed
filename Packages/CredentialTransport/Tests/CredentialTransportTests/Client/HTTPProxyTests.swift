#if Client
import CredentialTransport
import HTTPTypes
import NIOSSL
import TestSupport
import Testing

/// Connections through a proxy on the loopback interface.
@Suite struct HTTPProxyTests {
    private static let answer = LocalServer.Behavior.answer(
        status: 200,
        headers: [("Content-Type", "application/json")],
        body: Array("{}".utf8)
    )

    private static let publicAddress = IPAddress.v4(0x5db8_d822)

    private func transport(
        _ connector: AsyncHTTPClientConnector,
        resolving hosts: [String: [IPAddress]] = [LocalServer.host: [publicAddress]],
        allowing kinds: Set<AddressKind> = []
    ) -> GuardedHTTPTransport {
        GuardedHTTPTransport(
            connector: connector,
            addressGuard: AddressGuard(allowing: kinds, plainHTTP: true, ports: .any),
            resolver: FixedHostResolver(hosts),
            clock: ManualClock()
        )
    }

    private func request(_ scheme: String, port: UInt16? = nil) throws -> HTTPTransportRequest {
        let authority = LocalServer.host + (port.map { ":\($0)" } ?? "")
        let url = try HTTPURL("\(scheme)://\(authority)/jwks")
        return .get(url, accepting: [.json], limits: HTTPLimits(timeout: .seconds(3600)))
    }

    private static func tls() throws -> TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        let certificate = try NIOSSLCertificate(bytes: Array(LocalServer.certificate.utf8), format: .pem)
        configuration.trustRoots = .certificates([certificate])
        return configuration
    }

    private func rules(
        _ proxy: LocalProxy,
        _ hostNaming: HTTPProxy.HostNaming = .name,
        except exceptions: String = ""
    ) throws -> HTTPProxyRules {
        let proxy = try HTTPProxy(url: "http://us%40er:pass@127.0.0.1:\(proxy.port)", hostNaming: hostNaming)
        return HTTPProxyRules(https: proxy, http: proxy, exceptions: try HTTPProxyExceptions(exceptions))
    }

    /// The head of a request has the target, the user, and nothing of the request inside.
    private func expectConnect(_ head: String?, to target: String) {
        #expect(head?.hasPrefix("CONNECT \(target) HTTP/1.1\r\n") == true, "\(head ?? "nothing")")
        // us@er:pass
        #expect(head?.lowercased().contains("\r\nproxy-authorization: basic dxnazxi6cgfzcw==\r\n") == true)
        #expect(head?.contains("jwks") == false)
    }

    @Test(arguments: ["http", "https"])
    func tunnelsByName(scheme: String) async throws {
        let server = try await LocalServer(usesTLS: scheme == "https", Self.answer)
        let proxy = try await LocalProxy(to: server.port)
        let connector = AsyncHTTPClientConnector(tls: try Self.tls(), proxies: try rules(proxy))
        for hosts in [[:], [LocalServer.host: [Self.publicAddress]]] {
            let response = try await transport(connector, resolving: hosts).response(to: request(scheme))
            #expect(response.body == Array("{}".utf8))
        }
        #expect(proxy.heads.count == 2)
        for head in proxy.heads { expectConnect(head, to: "\(LocalServer.host):\(scheme == "https" ? 443 : 80)") }
        #expect(server.received.map(\.uri) == ["/jwks", "/jwks"])
        #expect(server.received.allSatisfy { $0.headers["host"] == LocalServer.host })
        #expect(server.received.allSatisfy { $0.headers["proxy-authorization"] == nil })
        if scheme == "https" { #expect(server.serverNames == [LocalServer.host, LocalServer.host]) }
        proxy.close()
        try await server.close()
    }

    @Test(arguments: ["http", "https"])
    func tunnelsToTheCheckedAddress(scheme: String) async throws {
        let server = try await LocalServer(usesTLS: scheme == "https", Self.answer)
        let proxy = try await LocalProxy(to: server.port)
        let settings = try HTTPProxy(url: "http://us%40er:pass@127.0.0.1:\(proxy.port)")
        let connectors = [
            AsyncHTTPClientConnector(tls: try Self.tls(), proxy: settings),
            AsyncHTTPClientConnector(tls: try Self.tls(), proxies: try rules(proxy, .checkedAddress)),
        ]
        for connector in connectors {
            #expect(try await transport(connector).response(to: request(scheme)).status == 200)
            let unknown = transport(connector, resolving: [:])
            await refusal(.resolutionFailed) { try await unknown.response(to: request(scheme)) }
        }
        #expect(proxy.heads.count == 2)
        for head in proxy.heads { expectConnect(head, to: "93.184.216.34:\(scheme == "https" ? 443 : 80)") }
        if scheme == "https" { #expect(server.serverNames == [LocalServer.host, LocalServer.host]) }
        proxy.close()
        try await server.close()
    }

    @Test(arguments: ["http", "https"])
    func reachesExceptionsDirectly(scheme: String) async throws {
        let server = try await LocalServer(usesTLS: scheme == "https", Self.answer)
        let proxy = try await LocalProxy(to: nil)
        let direct = AsyncHTTPClientConnector(
            tls: try Self.tls(),
            proxies: try rules(proxy, except: "\(LocalServer.host):\(server.port)")
        )
        let hosts = [LocalServer.host: [IPAddress.v4(0x7f00_0001)]]
        let open = transport(direct, resolving: hosts, allowing: [.loopback])
        #expect(try await open.response(to: request(scheme, port: server.port)).status == 200)
        #expect(proxy.heads.isEmpty)
        let closed = transport(direct, resolving: hosts)
        await refusal(.addressNotAllowed) { try await closed.response(to: request(scheme, port: server.port)) }
        await refusal(.connectionFailed) { try await open.response(to: request(scheme, port: 8443)) }
        #expect(proxy.heads.count == 1)
        proxy.close()
        try await server.close()
    }

    @Test func refusesNamesOfPrivateAddressesBeforeTheProxyIsAsked() async throws {
        let proxy = try await LocalProxy(to: nil)
        let connector = AsyncHTTPClientConnector(proxies: try rules(proxy))
        let guarded = transport(connector, resolving: [LocalServer.host: [.v4(0x0a00_0001)]])
        await refusal(.addressNotAllowed) { try await guarded.response(to: request("https")) }
        #expect(proxy.heads.isEmpty)
        proxy.close()
    }

    @Test(arguments: [
        ("403 Forbidden", "the proxy refuses the connection"),
        ("407 Proxy Authentication Required", "the proxy demands another authorization"),
    ])
    func reportsARefusalOfTheProxy(status: String, message: String) async throws {
        let proxy = try await LocalProxy(to: nil, refusingWith: status)
        let connector = AsyncHTTPClientConnector(proxies: try rules(proxy))
        let error = await refusal(.connectionFailed) {
            try await transport(connector).response(to: request("https"))
        }
        #expect(error?.message == message)
        #expect(error.map { !"\($0)".contains("pass") && !"\($0)".contains("us@er") } == true)
        #expect(proxy.heads.count == 1)
        proxy.close()
    }

    @Test(arguments: ["127.0.0.1", "localhost"])
    func reportsAProxyThatIsNotThere(host: String) async throws {
        // Nobody listens at port 1. A port that a server had may be another test's by now.
        let proxy = HTTPProxy(host: host, port: 1, hostNaming: .name)
        let connector = AsyncHTTPClientConnector(proxies: HTTPProxyRules(https: proxy))
        await refusal(.connectionFailed) { try await transport(connector).response(to: request("https")) }
    }

    @Test func aSessionKeepsItsTunnel() async throws {
        let server = try await LocalServer(usesTLS: true, Self.answer)
        let proxy = try await LocalProxy(to: server.port)
        let connector = AsyncHTTPClientConnector(tls: try Self.tls(), proxies: try rules(proxy))
        let session = transport(connector).keepingConnection(to: try request("https").url)
        for _ in 0..<3 { #expect(try await session.response(to: request("https")).status == 200) }
        await session.close()
        #expect(proxy.heads.count == 1)
        #expect(server.received.count == 3)
        proxy.close()
        try await server.close()
    }
}
#endif
