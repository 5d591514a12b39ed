#if Client
import CredentialTransport
import HTTPTypes
import NIOSSL
import Synchronization
import TestSupport
import Testing

/// Methods, streams and sessions over sockets of the loopback interface.
@Suite struct AsyncHTTPClientStreamTests {
    private static let loopback = IPAddress.v4(0x7f00_0001)
    private static let json = [("Content-Type", "application/json")]
    private static let answer = LocalServer.Behavior.answer(status: 200, headers: json, body: Array("{}".utf8))

    /// A resolver that counts its answers; from the second on they are wrong.
    private final class MovingResolver: HostResolver {
        private let asked = Mutex(0)

        var count: Int { asked.withLock { $0 } }

        func addresses(of host: String) async throws(TransportError) -> [IPAddress] {
            let count = asked.withLock { asked in
                asked += 1
                return asked
            }
            return [count == 1 ? loopback : IPAddress.v4(0x7f00_0002)]
        }
    }

    private func transport(
        _ resolver: any HostResolver = FixedHostResolver([LocalServer.host: [loopback]]),
        tls: TLSConfiguration = .makeClientConfiguration(),
        clock: any Clock<Duration> = GatedClock()
    ) -> GuardedHTTPTransport {
        GuardedHTTPTransport(
            connector: AsyncHTTPClientConnector(tls: tls),
            addressGuard: AddressGuard(allowing: [.loopback], plainHTTP: true),
            resolver: resolver,
            clock: clock
        )
    }

    private func url(_ server: LocalServer, _ path: String = "/", scheme: String = "http") throws -> HTTPURL {
        try HTTPURL("\(scheme)://\(LocalServer.host):\(server.port)\(path)")
    }

    private func get(
        _ server: LocalServer,
        _ path: String = "/",
        size: Int = 65536,
        silence: Duration? = nil
    ) throws -> HTTPTransportRequest {
        let limits = HTTPLimits(maximumBodySize: size, timeout: .seconds(3600), maximumSilence: silence)
        return .get(try url(server, path), accepting: [.json], limits: limits)
    }

    // MARK: Methods and errors

    @Test func putsAndDeletes() async throws {
        let server = try await LocalServer(Self.answer)
        let put = HTTPTransportRequest.put(try url(server), body: [7, 8], type: .form, accepting: [.json])
        let delete = HTTPTransportRequest.delete(try url(server))
        let full = HTTPTransportRequest.delete(try url(server), body: [9], type: .json)
        for request in [put, delete, full] {
            #expect(try await transport().response(to: request).body == Array("{}".utf8))
        }
        #expect(server.received.map(\.method) == ["PUT", "DELETE", "DELETE"])
        #expect(server.received.map(\.body) == [[7, 8], [], [9]])
        #expect(
            server.received.map { $0.headers["content-type"] } == [MediaType.form.description, nil, "application/json"]
        )
        #expect(server.received.map { $0.headers["content-length"] } == ["2", nil, "1"])
        try await server.close()
    }

    @Test func readsTheBodyOfAnError() async throws {
        let server = try await LocalServer(.answer(status: 500, headers: Self.json, body: Array("{}".utf8)))
        var request = try get(server)
        let none = await refusal(.unexpectedStatus) { try await transport().response(to: request) }
        #expect(none?.answer?.body == [])
        request.limits.maximumErrorBodySize = 2
        let error = await refusal(.unexpectedStatus) { [request] in try await transport().response(to: request) }
        #expect(error?.status == 500)
        #expect(error?.answer?.contentType == .json)
        #expect(error?.answer?.body == Array("{}".utf8))
        try await server.close()
    }

    @Test func takesAnAnswerWithoutContent() async throws {
        let server = try await LocalServer(.answer(status: 204, headers: [], body: []))
        let response = try await transport().response(to: .delete(url(server), accepting: [.json]))
        #expect(response.status == 204)
        #expect(response.body.isEmpty)
        try await server.close()
    }

    // MARK: Streams

    @Test func givesABodyBeforeItsEnd() async throws {
        let server = try await LocalServer(.partialBody([1, 2], announced: 3, closes: false))
        let stream = try await transport().stream(for: get(server))
        #expect(stream.headerFields[.contentLength] == "3")
        var iterator = stream.makeAsyncIterator()
        #expect(try await iterator.next() == [1, 2])
        stream.cancel()
        await refusal(.cancelled) { for try await _ in stream {} }
        while server.connections.closed == 0 { await Task.yield() }
        try await server.close()
    }

    @Test func readsAStreamToItsEnd() async throws {
        let body = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
        let server = try await LocalServer(.answer(status: 200, headers: Self.json, body: body))
        var found: [UInt8] = []
        for try await piece in try await transport().stream(for: get(server, size: 100_000)) { found += piece }
        #expect(found == body)
        try await server.close()
    }

    @Test func stopsReadingAStreamAtTheLimit() async throws {
        let server = try await LocalServer(.endlessBody)
        let stream = try await transport().stream(for: get(server, size: 100_000))
        var count = 0
        await refusal(.bodyTooLarge) { for try await piece in stream { count += piece.count } }
        #expect(count <= 100_000)
        while server.connections.closed == 0 { await Task.yield() }
        try await server.close()
    }

    @Test func givesUpOnASilentStream() async throws {
        let clock = ManualClock()
        let server = try await LocalServer(.partialBody([0x7b], announced: 2, closes: false))
        let stream = try await transport(clock: clock).stream(for: get(server, silence: .seconds(10)))
        var iterator = stream.makeAsyncIterator()
        #expect(try await iterator.next() == [0x7b])
        let task = Task { for try await _ in stream {} }
        await clock.waitForSleepers(2)
        clock.advance(by: .seconds(10))
        await refusal(.timedOut) { try await task.value }
        while server.connections.closed == 0 { await Task.yield() }
        try await server.close()
    }

    @Test func aStreamThatIsDroppedClosesItsConnection() async throws {
        let server = try await LocalServer(.endlessBody)
        for try await _ in try await transport().stream(for: get(server)) { break }
        while server.connections.closed == 0 { await Task.yield() }
        try await server.close()
    }

    @Test func reportsAStreamThatBreaksOff() async throws {
        let server = try await LocalServer(.partialBody([0x7b], announced: 2, closes: true))
        await refusal(.exchangeFailed) { for try await _ in try await transport().stream(for: get(server)) {} }
        try await server.close()
    }

    // MARK: Sessions

    @Test func everyRequestHasItsOwnConnectionWithoutASession() async throws {
        let server = try await LocalServer(Self.answer)
        for _ in 0..<2 { _ = try await transport().response(to: get(server)) }
        #expect(server.connections.opened == 2)
        try await server.close()
    }

    @Test func aSessionKeepsConnectionAndCookies() async throws {
        let headers = Self.json + [("Set-Cookie", "id=x; Path=/"), ("Set-Cookie", "b=2")]
        let server = try await LocalServer(.answer(status: 200, headers: headers, body: Array("{}".utf8)))
        let resolver = MovingResolver()
        let session = HTTPSession(with: try url(server), over: transport(resolver))
        for _ in 0..<3 { _ = try await session.response(to: get(server)) }
        for try await _ in try await session.stream(for: get(server)) {}
        #expect(resolver.count == 1)
        #expect(server.connections.opened == 1)
        #expect(server.received.map { $0.headers["cookie"] } == [nil, "id=x; b=2", "id=x; b=2", "id=x; b=2"])
        await session.close()
        while server.connections.closed == 0 { await Task.yield() }
        await refusal(.cancelled) { try await session.response(to: get(server)) }
        try await server.close()
    }

    @Test func aSessionConnectsAgainToTheSameAddressOnly() async throws {
        let headers = Self.json + [("Connection", "close")]
        let server = try await LocalServer(.answer(status: 200, headers: headers, body: []))
        let resolver = MovingResolver()
        let session = HTTPSession(with: try url(server), over: transport(resolver))
        for _ in 0..<3 { _ = try await session.response(to: get(server)) }
        #expect(resolver.count == 1)
        #expect(server.connections.opened == 3)
        await session.close()
        try await server.close()
    }

    /// The client would resolve the name of another host by itself, past the guard.
    @Test func aConnectionCarriesNoRequestToAnotherOrigin() async throws {
        let server = try await LocalServer(Self.answer)
        let connection = AsyncHTTPClientConnector()
            .connection(to: Self.loopback, for: try url(server), timeout: .seconds(1))
        for text in ["http://localhost:\(server.port)/", "https://\(LocalServer.host):\(server.port)/"] {
            let request = HTTPTransportRequest.get(try HTTPURL(text), accepting: [.json])
            await refusal(.addressNotAllowed) {
                try await connection.exchange(request, receiver: ResponseCollector(for: request))
            }
        }
        await connection.close()
        #expect(server.connections.opened == 0)
        try await server.close()
    }

    @Test func aSessionProvesItsHost() async throws {
        let server = try await LocalServer(usesTLS: true, Self.answer)
        var configuration = TLSConfiguration.makeClientConfiguration()
        let certificate = try NIOSSLCertificate(bytes: Array(LocalServer.certificate.utf8), format: .pem)
        configuration.trustRoots = .certificates([certificate])
        let https = try url(server, scheme: "https")
        let session = HTTPSession(with: https, over: transport(tls: configuration))
        let strict = HTTPSession(with: https, over: transport())
        let request = HTTPTransportRequest.get(https, accepting: [.json])
        for _ in 0..<2 { #expect(try await session.response(to: request).status == 200) }
        #expect(server.serverNames == [LocalServer.host])
        await refusal(.tlsFailed) { try await strict.response(to: request) }
        await session.close()
        await strict.close()
        try await server.close()
    }

    /// An event stream does not hold up the other requests of its session.
    @Test func aSessionCarriesExchangesAtTheSameTime() async throws {
        let server = try await LocalServer(
            .byPath(["/events": .partialBody([0x3a], announced: 2, closes: false), "/": Self.answer])
        )
        let session = HTTPSession(with: try url(server), over: transport())
        let stream = try await session.stream(for: get(server, "/events"))
        #expect(try await session.response(to: .delete(url(server))).status == 200)
        #expect(server.connections.opened == 2)
        stream.cancel()
        await session.close()
        try await server.close()
    }

    @Test func aRedirectInASessionIsChecked() async throws {
        let target = "http://169.254.169.254/latest"
        let server = try await LocalServer(
            .byPath(["/": Self.answer, "/x": .answer(status: 302, headers: [("Location", target)], body: [])])
        )
        let session = HTTPSession(with: try url(server), over: transport())
        _ = try await session.response(to: get(server))
        await refusal(.literalAddressNotAllowed) {
            try await session.response(to: get(server, "/x"), followingRedirects: 3)
        }
        await session.close()
        try await server.close()
    }

    @Test func readsEventsOverSeveralConnections() async throws {
        let body = Array(": ping\nretry: 1\nid: 7\ndata: a\n\ndata: b\n\ndata: cut off".utf8)
        let server = try await LocalServer(
            .answer(status: 200, headers: [("Content-Type", "text/event-stream; charset=utf-8")], body: body)
        )
        let clock = InstantClock()
        let events = try EventStream(at: url(server), over: transport(), clock: clock)
        var found: [ServerSentEvent] = []
        for try await event in events {
            found.append(event)
            if found.count == 3 { break }
        }
        #expect(found.map(\.data) == ["a", "b", "a"])
        #expect(Set(found.map(\.lastEventID)) == ["7"])
        #expect(server.received.prefix(2).map { $0.headers["last-event-id"] } == [nil, "7"])
        #expect(clock.durations == [.milliseconds(500)])
        try await server.close()
    }
}
#endif
