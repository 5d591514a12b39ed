import CredentialServing
import CredentialTransport
import HTTPTypes
import Synchronization
import Testing

@Suite struct RateLimitedEngineTests {
    private func engine(_ calls: CallCount) throws -> RoutedEngine {
        try RoutedEngine([
            .get("/x") { _ in
                calls.add()
                return .text("x")
            }
        ])
    }

    @Test func refusesWithRetryAfter() async throws {
        let calls = CallCount()
        let clock = SteppedClock()
        let limiter = RateLimiter(try RateLimit(2, per: .seconds(3)), clock: clock)
        let server = InMemoryServer(try engine(calls).limited(by: limiter))
        for _ in 0..<2 { #expect(try await server.response(to: .get("/x")).status == .ok) }
        let refused = try await server.response(to: .get("/x"))
        #expect(refused.status == .tooManyRequests)
        #expect(refused.headerFields[.retryAfter] == "2")
        #expect(String(decoding: refused.body, as: UTF8.self).contains("tooManyRequests"))
        #expect(calls.value == 2)
        clock.advance(by: .milliseconds(1500))
        #expect(try await server.response(to: .get("/x")).status == .ok)
    }

    @Test func clientsHaveLimitsOfTheirOwn() async throws {
        let limiter = RateLimiter(try RateLimit(1, per: .seconds(60)), clock: SteppedClock())
        let engine = try engine(CallCount()).limited(by: limiter)
        for address in ["192.0.2.1", "192.0.2.2"] {
            let server = InMemoryServer(engine, peer: IPAddress(address))
            #expect(try await server.response(to: .get("/x")).status == .ok)
            #expect(try await server.response(to: .get("/x")).status == .tooManyRequests)
        }
        #expect(try await InMemoryServer(engine, peer: nil).response(to: .get("/x")).status == .ok)
        #expect(try await InMemoryServer(engine, peer: nil).response(to: .get("/x")).status == .tooManyRequests)
    }

    /// Behind a proxy, the limit must count the client that the proxy names, and no client must choose its own key.
    @Test func countsClientsBehindAProxy() async throws {
        let limiter = RateLimiter(try RateLimit(1, per: .seconds(60)), clock: SteppedClock())
        let proxies = TrustedProxies([try AddressRange("10.0.0.0/8")], field: .forwarded)
        let engine = try engine(CallCount()).limited(by: limiter).behind(proxies)
        func status(_ client: String, peer: String) async throws -> HTTPResponse.Status {
            let name = try #require(HTTPField.Name("Forwarded"))
            let server = InMemoryServer(engine, peer: IPAddress(peer))
            return try await server.response(to: .get("/x", headerFields: [name: "for=\(client)"])).status
        }
        #expect(try await status("192.0.2.1", peer: "10.0.0.1") == .ok)
        #expect(try await status("192.0.2.2", peer: "10.0.0.1") == .ok)
        #expect(try await status("192.0.2.1", peer: "10.0.0.1") == .tooManyRequests)
        #expect(try await status("192.0.2.3", peer: "198.51.100.1") == .ok)
        #expect(try await status("192.0.2.4", peer: "198.51.100.1") == .tooManyRequests)
    }

    @Test func keysAndResponsesAreTheServersChoice() async throws {
        let limiter = RateLimiter(try RateLimit(1, per: .seconds(60)), clock: SteppedClock())
        let engine = try engine(CallCount()).limited(by: limiter) { request in
            request.headerFields[.userAgent].map(RateLimitKey.requestor)
        } response: { refusal, _ in
            .text("wait \(refusal.headerValue)", status: .serviceUnavailable)
        }
        let server = InMemoryServer(engine)
        for _ in 0..<3 { #expect(try await server.response(to: .get("/x")).status == .ok) }
        let request = InMemoryRequest.get("/x", headerFields: [.userAgent: "shop"])
        #expect(try await server.response(to: request).status == .ok)
        let refused = try await server.response(to: request)
        #expect(refused.status == .serviceUnavailable)
        #expect(refused.body == Array("wait 60".utf8))
    }

    /// A script that cannot read the refusal sees no more than a network error.
    @Test func scriptsOfOtherOriginsAreLimitedOnceARequestAndTold() async throws {
        let policy = try CORSPolicy(origins: .exactly(["https://shop.example"]), exposedHeaders: [.retryAfter])
        let limiter = RateLimiter(try RateLimit(1, per: .seconds(60)), clock: SteppedClock())
        let engine = try RoutedEngine(
            [.get("/x") { _ in .text("x") }],
            options: RoutedEngineOptions(cors: policy)
        )
        let server = InMemoryServer(engine.limited(by: limiter, cors: policy))
        let origin: HTTPFields = [.origin: "https://shop.example"]
        var preflight = InMemoryRequest.get("/x", headerFields: origin)
        preflight.head.method = .options
        preflight.head.headerFields[.accessControlRequestMethod] = "GET"
        for _ in 0..<3 { #expect(try await server.response(to: preflight).status == .noContent) }
        #expect(try await server.response(to: .get("/x", headerFields: origin)).status == .ok)
        let refused = try await server.response(to: .get("/x", headerFields: origin))
        #expect(refused.status == .tooManyRequests)
        #expect(refused.headerFields[.accessControlAllowOrigin] == "https://shop.example")
        #expect(refused.headerFields[.accessControlExposeHeaders] == "Retry-After")
        #expect(refused.headerFields[.vary] == "Origin")
        #expect(try await server.response(to: preflight).status == .noContent)
        // Any other OPTIONS request counts.
        preflight.head.headerFields[.accessControlRequestMethod] = nil
        #expect(try await server.response(to: preflight).status == .tooManyRequests)
        let other = try await server.response(to: .get("/x", headerFields: [.origin: "https://other.example"]))
        #expect(other.headerFields[.accessControlAllowOrigin] == nil)
    }

    @Test func handlersLimitRequestors() async throws {
        let limiter = RateLimiter(try RateLimit(1, per: .seconds(60)), clock: SteppedClock())
        let engine = try RoutedEngine([
            .get("/{requestor}") { request in
                try limiter.requireToken(.requestor(request.parameters.text("requestor")))
                return .text("x")
            }
        ]) { error, _ in
            ((error as? ServingError)?.cause as? RateLimitRefusal).map(ServerResponse.init(limitedBy:))
        }
        let server = InMemoryServer(engine)
        #expect(try await server.response(to: .get("/a")).status == .ok)
        #expect(try await server.response(to: .get("/b")).status == .ok)
        let refused = try await server.response(to: .get("/a"))
        #expect(refused.status == .tooManyRequests)
        #expect(refused.headerFields[.retryAfter] == "60")
    }

    @Test(arguments: [(Duration.zero, "1"), (.milliseconds(1), "1"), (.seconds(1), "1"), (.milliseconds(1001), "2")])
    func retryAfterIsWholeSeconds(time: Duration, value: String) {
        #expect(RateLimitRefusal(retryAfter: time).headerValue == value)
    }

    @Test func observersLearnTheRoute() async throws {
        let note = RequestNote(identifier: "id")
        let engine = try RoutedEngine([
            .get("/session/{token}") { _ in .text(RequestNote.current?.identifier ?? "none") }
        ])
        let response = await RequestNote.$current.withValue(note) {
            await engine.response(to: ServerRequest(head: InMemoryRequest.get("/session/s3cret").head))
        }
        #expect(note.routePattern == "/session/{token}")
        #expect(response.body.bytesIfReady == Array("id".utf8))
        let missing = RequestNote(identifier: "id")
        _ = await RequestNote.$current.withValue(missing) {
            await engine.response(to: ServerRequest(head: InMemoryRequest.get("/other").head))
        }
        #expect(missing.routePattern == nil)
    }
}

/// A count that handlers raise.
private final class CallCount: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    func add() {
        count.withLock { $0 += 1 }
    }
}
