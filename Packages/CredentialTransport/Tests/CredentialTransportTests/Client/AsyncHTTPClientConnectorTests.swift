#if Client
import CredentialTransport
import HTTPTypes
import NIOSSL
import Testing

@Suite struct AsyncHTTPClientConnectorTests {
    private static let loopback = IPAddress.v4(0x7f00_0001)
    /// An address without a listener: the server is on 127.0.0.1 alone.
    private static let silent = IPAddress.v4(0x7f00_0002)

    private func transport(
        _ addresses: [IPAddress] = [loopback],
        host: String = LocalServer.host,
        tls: TLSConfiguration = .makeClientConfiguration(),
        clock: any Clock<Duration> = GatedClock(),
        addressGuard: AddressGuard = AddressGuard(allowing: [.loopback], plainHTTP: true)
    ) -> GuardedHTTPTransport {
        GuardedHTTPTransport(
            connector: AsyncHTTPClientConnector(tls: tls),
            addressGuard: addressGuard,
            resolver: FixedHostResolver([host: addresses]),
            clock: clock
        )
    }

    /// A request that no real clock ends, however busy the machine is.
    private func request(
        _ server: LocalServer,
        scheme: String = "http",
        host: String = LocalServer.host,
        limits: HTTPLimits = HTTPLimits(timeout: .seconds(3600))
    ) throws -> HTTPTransportRequest {
        .get(try HTTPURL("\(scheme)://\(host):\(server.port)/lists/1?time=2"), accepting: [.json], limits: limits)
    }

    private let answer = LocalServer.Behavior.answer(
        status: 200,
        headers: [("Content-Type", "application/json"), ("X-Other", "y")],
        body: Array("{}".utf8)
    )

    @Test func gets() async throws {
        let server = try await LocalServer(answer)
        let response = try await transport().response(to: request(server))
        #expect(response.status == 200)
        #expect(response.body == Array("{}".utf8))
        #expect(response.headerFields[try #require(HTTPField.Name("x-other"))] == "y")
        let received = try #require(server.received.first)
        #expect(received.method == "GET")
        #expect(received.uri == "/lists/1?time=2")
        #expect(received.headers["host"] == "status.example.test:\(server.port)")
        #expect(received.headers["accept"] == "application/json")
        #expect(received.headers["accept-encoding"] == "identity")
        #expect(received.body.isEmpty)
        try await server.close()
    }

    @Test func posts() async throws {
        let server = try await LocalServer(answer)
        let url = try HTTPURL("http://\(LocalServer.host):\(server.port)/")
        let body = Array("response=x".utf8)
        let post = HTTPTransportRequest.post(url, body: body, type: .form, accepting: [.json])
        #expect(try await transport().response(to: post).status == 200)
        let received = try #require(server.received.first)
        #expect(received.method == "POST")
        #expect(received.headers["content-type"] == "application/x-www-form-urlencoded")
        #expect(received.headers["content-length"] == "10")
        #expect(received.body == body)
        try await server.close()
    }

    @Test func stopsReadingAtTheLimit() async throws {
        let server = try await LocalServer(.endlessBody)
        let endless = try request(server, limits: HTTPLimits(maximumBodySize: 100_000))
        await refusal(.bodyTooLarge) { try await transport().response(to: endless) }
        try await server.close()
    }

    @Test func refusesAnAnnouncedLengthOverTheLimit() async throws {
        let server = try await LocalServer(.partialBody([], announced: 65537, closes: false))
        await refusal(.bodyTooLarge) { try await transport().response(to: request(server)) }
        try await server.close()
    }

    @Test func followsNoRedirects() async throws {
        let target = "http://169.254.169.254/latest"
        let server = try await LocalServer(.answer(status: 302, headers: [("Location", target)], body: []))
        let error = await refusal(.redirected) { try await transport().response(to: request(server)) }
        #expect(error?.redirectTarget == target)
        #expect(server.received.count == 1)
        try await server.close()
    }

    @Test func refusesCompressedAnswers() async throws {
        let headers = [("Content-Type", "application/json"), ("Content-Encoding", "gzip")]
        let server = try await LocalServer(.answer(status: 200, headers: headers, body: [0x1f, 0x8b]))
        await refusal(.contentEncodingNotAccepted) { try await transport().response(to: request(server)) }
        try await server.close()
    }

    @Test func givesUpOnASilentServer() async throws {
        let clock = GatedClock()
        let server = try await LocalServer(onRequest: { clock.elapse() }, .silence)
        await refusal(.timedOut) { try await transport(clock: clock).response(to: request(server)) }
        try await server.close()
    }

    @Test func givesUpOnAServerThatStopsInTheMiddle() async throws {
        let clock = GatedClock()
        let server = try await LocalServer(
            onRequest: { clock.elapse() },
            .partialBody([0x7b], announced: 2, closes: false)
        )
        await refusal(.timedOut) { try await transport(clock: clock).response(to: request(server)) }
        try await server.close()
    }

    @Test func endsWhenItsTaskIsCancelled() async throws {
        let started = AsyncStream.makeStream(of: Void.self)
        let server = try await LocalServer(onRequest: { started.continuation.finish() }, .silence)
        let request = try request(server)
        let task = Task { try await transport().response(to: request) }
        for await _ in started.stream {}
        task.cancel()
        await refusal(.cancelled) { try await task.value }
        try await server.close()
    }

    @Test func reportsAnExchangeThatBreaksOff() async throws {
        for behavior in [LocalServer.Behavior.close, .partialBody([0x7b], announced: 2, closes: true)] {
            let server = try await LocalServer(behavior)
            await refusal(.exchangeFailed) { try await transport().response(to: request(server)) }
            #expect(server.received.count == 1)
            try await server.close()
        }
    }

    @Test func triesTheNextAddressAfterARefusedConnection() async throws {
        let server = try await LocalServer(answer)
        let response = try await transport([Self.silent, Self.loopback]).response(to: request(server))
        #expect(response.status == 200)
        await refusal(.connectionFailed) { try await transport([Self.silent]).response(to: request(server)) }
        try await server.close()
    }

    @Test func contactsNoLoopbackAddressUnlessAllowed() async throws {
        let server = try await LocalServer(answer)
        let guarded = transport(addressGuard: AddressGuard(plainHTTP: true))
        await refusal(.addressNotAllowed) { try await guarded.response(to: request(server)) }
        #expect(server.received.isEmpty)
        try await server.close()
    }

    @Test func provesTheHostOfTheURLAtTheCheckedAddress() async throws {
        let server = try await LocalServer(usesTLS: true, answer)
        let response = try await transport(tls: Self.trusting()).response(to: request(server, scheme: "https"))
        #expect(response.status == 200)
        #expect(server.serverNames == [LocalServer.host])
        #expect(server.received.first?.headers["host"] == "status.example.test:\(server.port)")
        try await server.close()
    }

    @Test func refusesACertificateForAnotherHost() async throws {
        let server = try await LocalServer(usesTLS: true, answer)
        let other = transport(host: "other.example.test", tls: try Self.trusting())
        await refusal(.tlsFailed) {
            try await other.response(to: request(server, scheme: "https", host: "other.example.test"))
        }
        #expect(server.serverNames == ["other.example.test"])
        #expect(server.received.isEmpty)
        try await server.close()
    }

    @Test func refusesACertificateOfAnUnknownIssuer() async throws {
        let server = try await LocalServer(usesTLS: true, answer)
        await refusal(.tlsFailed) { try await transport().response(to: request(server, scheme: "https")) }
        #expect(server.received.isEmpty)
        try await server.close()
    }

    @Test func refusesAServerWithoutTLS() async throws {
        let server = try await LocalServer(answer)
        await refusal(.tlsFailed) { try await transport().response(to: request(server, scheme: "https")) }
        try await server.close()
    }

    private static func trusting() throws -> TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        let certificate = try NIOSSLCertificate(bytes: Array(LocalServer.certificate.utf8), format: .pem)
        configuration.trustRoots = .certificates([certificate])
        return configuration
    }
}
#endif
