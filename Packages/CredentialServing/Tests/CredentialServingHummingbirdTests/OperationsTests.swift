#if Server
import CredentialServing
import CredentialServingHummingbird
import CredentialServingOperations
import HTTPTypes
import Logging
import ServiceLifecycle
import ServingContracts
import Synchronization
import TestSupport
import Testing

/// A server with all that a server in production has, over sockets.
@Suite(.timeLimit(.minutes(1)))
struct OperationsTests {
    private let clock = ManualClock()
    private let lines = Lines()
    private let begun = ShutdownSignal()
    private let released = ShutdownSignal()

    /// The lines of a log.
    private final class Lines: Sendable {
        private let lines = Mutex<[String]>([])
        var text: String { lines.withLock { $0.joined() } }

        func add(_ line: String) {
            lines.withLock { $0.append(line) }
        }
    }

    private func settings() throws -> OperationsSettings {
        let schema = try ConfigurationSchema(name: "testserver", OperationsKeys.declarations)
        let outcome = try ConfigurationLoader(schema, folders: []).load(
            arguments: ["--operations-port", "0", "-v", "--log-json"],
            environment: ["TESTSERVER_LIMITS_REQUESTS": "3", "TESTSERVER_OPERATIONS_DRAIN_TIME": "7"]
        )
        guard case .configuration(let configuration) = outcome else { throw ClientError.noResponse }
        return try OperationsSettings(configuration, isProduction: true)
    }

    private func engine(
        _ settings: OperationsSettings,
        _ registry: MetricsRegistry,
        _ logger: Logger
    ) throws
        -> any HTTPEngine
    {
        let (begun, released) = (begun, released)
        let engine = try RoutedEngine([
            .get("/session/{token}") { request in
                logger.info("session asked for", metadata: ["header": .headerFields(request.headerFields)])
                return .text("fine")
            },
            .get("/slow") { _ in
                begun.give()
                await released.wait()
                return .text("slow")
            },
        ])
        let limiter = RateLimiter(try #require(settings.limit), maximumCount: settings.maximumClients, clock: clock)
        let observer = RequestObserver(server: "test", logger: logger, metrics: registry)
        return
            engine
            .limited(by: limiter, key: { $0.head.path == "/slow" ? nil : .address($0.remoteAddress) })
            .observed(by: observer)
    }

    private static func response(_ port: Int, _ path: String) async throws -> InMemoryResponse {
        let client = try await WireClient.connect(to: port)
        try await client.begin(.get(path, headerFields: [.authorization: "Bearer planted-secret"]))
        let head = try await client.head()
        var body: [UInt8] = []
        while let piece = try await client.next() { body += piece }
        await client.disconnect()
        return InMemoryResponse(head: head, body: body)
    }

    private static func text(_ response: InMemoryResponse) -> String {
        String(decoding: response.body, as: UTF8.self)
    }

    @Test func serverOfAllPartsServesIsWatchedAndStopsInOrder() async throws {
        let settings = try settings()
        let logger = settings.logging(write: lines.add).logger(label: "test")
        let registry = MetricsRegistry()
        try RequestObserver.describeMetrics(in: registry)
        let health = Health(awaiting: ["http"], logger: logger)
        let listener = HummingbirdServer(
            try engine(settings, registry, logger),
            options: HummingbirdServerOptions(port: 0),
            logger: logger
        )
        let operations = HummingbirdServer(
            try OperationsEngine(metrics: registry, health: health),
            options: HummingbirdServerOptions(host: settings.address, port: try #require(settings.port)),
            logger: logger
        )
        let states = Mutex<[String]>([])
        let composition = try ServerComposition(
            health: health,
            stores: [
                .closing("sessions") {
                    // The listener has ended its requests, and the one for operations is still there.
                    let state = try await Self.text(Self.response(operations.port, "/ready"))
                    states.withLock { $0.append(state) }
                }
            ],
            listeners: [ServicePart("http", listener)],
            operations: ServicePart("operations", operations),
            drainTime: settings.drainTime,
            clock: clock,
            logger: logger
        )
        let group = ServiceGroup(services: [composition], logger: logger)
        let running = Task { try await group.run() }
        let (port, operationsPort) = (try await listener.port, try await operations.port)
        #expect(try await Self.response(operationsPort, "/ready").status == .serviceUnavailable)
        health.markStarted("http")
        #expect(try await Self.response(operationsPort, "/ready").status == .ok)
        #expect(try await Self.response(port, "/metrics").status == .notFound)

        // The path that has no route has taken the first of three tokens.
        for _ in 0..<2 { #expect(try await Self.response(port, "/session/planted-token").status == .ok) }
        let refused = try await Self.response(port, "/session/planted-token")
        #expect(refused.status == .tooManyRequests)
        #expect(refused.headerFields[.retryAfter] == "20")
        clock.advance(by: .seconds(20))
        #expect(try await Self.response(port, "/session/planted-token").status == .ok)

        let metrics = try await Self.text(Self.response(operationsPort, "/metrics"))
        #expect(metrics.contains(#"total{method="GET",route="/session/{token}",server="test",status="2xx"} 3"#))
        #expect(metrics.contains(#"total{method="GET",route="none",server="test",status="4xx"} 2"#))
        #expect(lines.text.contains("/session/{token}"))
        #expect(lines.text.contains("session asked for"))

        let slow = try await WireClient.connect(to: port)
        try await slow.begin(.get("/slow"))
        await begun.wait()
        await group.triggerGracefulShutdown()
        await clock.waitForSleepers(1)
        #expect(clock.durations.last == .seconds(7))
        #expect(try await Self.response(operationsPort, "/ready").status == .serviceUnavailable)
        clock.advance(by: .seconds(20))
        #expect(states.withLock { $0 }.isEmpty)
        released.give()
        #expect(try await slow.next() == Array("slow".utf8))
        await slow.disconnect()
        try await running.value
        #expect(states.withLock { $0 }.count == 1)
        #expect(states.withLock { $0 }.allSatisfy { $0.contains("stopping") })
        #expect(!lines.text.contains("planted"))
        await #expect(throws: ServingError.self) { try await operations.port }
    }
}
#endif
