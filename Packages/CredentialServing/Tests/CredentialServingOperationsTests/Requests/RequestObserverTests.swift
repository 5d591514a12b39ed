#if Server
import CredentialServing
import CredentialServingOperations
import CredentialTransport
import HTTPTypes
import InMemoryTracing
import Logging
import TestSupport
import Testing
import Tracing

@Suite struct RequestObserverTests {
    private let registry = MetricsRegistry()
    private let tracer = InMemoryTracer()
    private let sink = LineSink()
    private let clock = ManualClock()
    private let secret = "s3cr3tT0k3nAbCdEf123"

    private var observer: RequestObserver {
        let logging = OperationsLogging(
            level: .trace,
            metadataProvider: RequestObserver.metadataProvider,
            write: sink.write
        )
        return RequestObserver(
            server: "irma",
            logger: logging.logger(label: "requests"),
            failureLevel: .error,
            metrics: registry,
            tracer: tracer,
            clock: clock,
            identifier: { "r1" }
        )
    }

    private struct Failure: Error {}

    private func engine() throws -> some HTTPEngine {
        let clock = clock
        let logger = OperationsLogging(
            level: .trace,
            metadataProvider: RequestObserver.metadataProvider,
            write: sink.write
        ).logger(label: "engine")
        return try RoutedEngine([
            .get("/session/{token}") { _ in
                logger.info("handled")
                clock.advance(by: .milliseconds(20))
                return .text("x")
            },
            .get("/fails") { _ in throw Failure() },
            .get("/stream") { _ in
                ServerResponse(
                    .ok,
                    body: .stream(outlastsDeadline: true) { writer in
                        try await writer.write([1])
                        clock.advance(by: .seconds(3))
                        logger.info("streamed")
                        try await writer.write([2])
                    }
                )
            },
            .get("/breaks") { _ in
                ServerResponse(.ok, body: .stream(length: 5) { writer in try await writer.write([1]) })
            },
        ]).observed(by: observer)
    }

    private func lines() -> [Substring] { registry.text().split(separator: "\n") }

    @Test func countsByRouteAndClassOfStatus() async throws {
        let server = InMemoryServer(try engine())
        for _ in 0..<2 { _ = try await server.response(to: .get("/session/\(secret)?t=\(secret)")) }
        _ = try await server.response(to: .get("/fails"))
        _ = try await server.response(to: .get("/\(secret)"))
        _ = try await server.response(to: .post("/fails"))
        let method = try #require(HTTPRequest.Method(rawValue: "MADEUP"))
        _ = try await server.response(to: InMemoryRequest(method, "/fails"))
        let text = registry.text()
        let count = "http_requests_total{method=\"GET\",route="
        #expect(text.contains(count + "\"/session/{token}\",server=\"irma\",status=\"2xx\"} 2\n"))
        #expect(text.contains(count + "\"/fails\",server=\"irma\",status=\"5xx\"} 1\n"))
        #expect(text.contains(count + "\"none\",server=\"irma\",status=\"4xx\"} 1\n"))
        #expect(text.contains("{method=\"POST\",route=\"none\",server=\"irma\",status=\"4xx\"} 1\n"))
        #expect(text.contains("{method=\"other\",route=\"none\",server=\"irma\",status=\"4xx\"} 1\n"))
        #expect(
            text.contains(
                "http_request_duration_seconds_sum{method=\"GET\",route=\"/session/{token}\",server=\"irma\",status=\"2xx\"} 0.04\n"
            )
        )
        #expect(text.contains("http_requests_active{server=\"irma\"} 0\n"))
        #expect(!text.contains(secret))
        #expect(!text.contains("MADEUP"))
    }

    @Test func spansHaveTheRouteAndNoSecret() async throws {
        let name = try #require(HTTPField.Name("X-Session"))
        let fields: HTTPFields = [.authorization: "Bearer \(secret)", .cookie: secret, name: secret, .referer: secret]
        let server = InMemoryServer(try engine())
        _ = try await server.response(to: .get("/session/\(secret)?t=\(secret)", headerFields: fields))
        _ = try await server.response(to: .get("/fails/\(secret)"))
        _ = try await server.response(to: .get("/fails"))
        let spans = tracer.finishedSpans
        #expect(spans.map(\.operationName) == ["GET /session/{token}", "GET none", "GET /fails"])
        #expect(spans.map { $0.status?.code } == [nil, nil, .error])
        #expect(spans[0].kind == .server)
        #expect(spans[0].attributes.get("http.route") == .string("/session/{token}"))
        #expect(spans[0].attributes.get("http.response.status_code")?.toSpanAttribute() == .int(200))
        #expect(spans[0].attributes.get("request.id") == .string("r1"))
        for span in spans {
            var dumped = ""
            dump(span, to: &dumped)
            #expect(!dumped.contains(secret))
            #expect(span.events.isEmpty && span.errors.isEmpty)
        }
        #expect(tracer.activeSpans.isEmpty)
    }

    @Test func logsAFailureAtALevelOfItsOwn() async throws {
        let server = InMemoryServer(try engine())
        _ = try await server.response(to: .get("/fails"))
        #expect(sink.all.last?.contains("error requests: request answered") == true)
        _ = try await server.response(to: .get("/nothing"))
        #expect(sink.all.last?.contains("debug requests: request answered") == true)
    }

    @Test func logsALineForEachRequest() async throws {
        let server = InMemoryServer(try engine(), peer: IPAddress("192.0.2.1"))
        _ = try await server.response(to: .get("/session/\(secret)?t=\(secret)"))
        let line = try #require(sink.all.last)
        #expect(line.contains("debug requests: request answered"))
        for part in [
            "method=GET", "route=/session/{token}", "status=200", "request.id=r1", "remote=192.0.2.1", "duration=",
        ] {
            #expect(line.contains(part))
        }
        #expect(!sink.text.contains(secret))
        let inner = try #require(sink.all.first { $0.contains("handled") })
        #expect(inner.contains("request.id=r1") && inner.contains("route=/session/{token}"))
    }

    @Test func aStreamEndsItsObservationWithItsLastByte() async throws {
        let server = InMemoryServer(try engine())
        let exchange = server.open(.get("/stream"))
        _ = try await exchange.head()
        #expect(tracer.finishedSpans.isEmpty)
        #expect(lines().contains("http_requests_active{server=\"irma\"} 1"))
        while try await exchange.next() != nil {}
        await exchange.end()
        #expect(tracer.finishedSpans.count == 1)
        #expect(
            registry.text().contains(
                "http_request_duration_seconds_sum{method=\"GET\",route=\"/stream\",server=\"irma\",status=\"2xx\"} 3\n"
            )
        )
        #expect(
            sink.text.contains("streamed route=/stream") || sink.text.contains("streamed request.id=r1 route=/stream")
        )
        #expect(lines().contains("http_requests_active{server=\"irma\"} 0"))
    }

    @Test func aBrokenStreamIsCounted() async throws {
        let server = InMemoryServer(try engine())
        await #expect(throws: ServingError.self) {
            // The body is shorter than announced, which the driver finds after the producer.
            let exchange = server.open(.get("/stream"))
            _ = try await exchange.head()
            exchange.disconnect()
            await exchange.end()
            while try await exchange.next() != nil {}
        }
        #expect(tracer.finishedSpans.map { $0.status?.code } == [.error])
        #expect(lines().contains("http_responses_broken_total{route=\"/stream\",server=\"irma\"} 1"))
        #expect(lines().contains("http_requests_active{server=\"irma\"} 0"))
        #expect(sink.text.contains("response broke off"))
    }

    /// A driver that drops a response must leave no request active and no span open.
    @Test func aDroppedResponseEndsItsObservation() async throws {
        do {
            let response = await (try engine()).response(to: ServerRequest(head: InMemoryRequest.get("/stream").head))
            #expect(response.status == .ok)
            #expect(lines().contains("http_requests_active{server=\"irma\"} 1"))
        }
        #expect(lines().contains("http_requests_active{server=\"irma\"} 0"))
        #expect(tracer.activeSpans.isEmpty)
        #expect(lines().contains("http_responses_broken_total{route=\"/stream\",server=\"irma\"} 1"))
    }

    @Test func continuesTheTraceOfTheClient() async throws {
        let traceID = try #require(HTTPField.Name("in-memory-trace-id"))
        let spanID = try #require(HTTPField.Name("in-memory-span-id"))
        let server = InMemoryServer(try engine())
        _ = try await server.response(to: .get("/session/x", headerFields: [traceID: "trace-9", spanID: "span-9"]))
        #expect(tracer.finishedSpans.first?.traceID == "trace-9")
        #expect(tracer.finishedSpans.first?.parentSpanID == "span-9")
    }

    @Test func limitsAreObservedToo() async throws {
        let limiter = RateLimiter(try RateLimit(1, per: .seconds(60)), clock: clock)
        let engine = try RoutedEngine([.get("/x") { _ in .text("x") }]).limited(by: limiter).observed(by: observer)
        let server = InMemoryServer(engine)
        for _ in 0..<3 { _ = try await server.response(to: .get("/x")) }
        #expect(registry.text().contains("route=\"none\",server=\"irma\",status=\"4xx\"} 2\n"))
    }

    @Test func describesItsMetrics() async throws {
        try RequestObserver.describeMetrics(in: registry)
        _ = try await InMemoryServer(try engine()).response(to: .get("/fails"))
        for name in ["http_requests_total", "http_request_duration_seconds", "http_requests_active"] {
            #expect(lines().contains { $0.hasPrefix("# HELP \(name) ") })
        }
    }

    @Test func identifiersAreRandom() {
        let identifiers = Set((0..<100).map { _ in RequestObserver.randomIdentifier() })
        #expect(identifiers.count == 100)
        #expect(identifiers.allSatisfy { $0.count == 16 })
    }
}
#endif
