#if Server
import CoreMetrics
import CredentialServing
import CredentialServingOperations
import HTTPTypes
import Testing

@Suite struct OperationsEngineTests {
    private func server(_ registry: MetricsRegistry?) throws -> InMemoryServer {
        let health = Health(logger: OperationsLogging(write: LineSink().write).logger(label: "t"))
        return InMemoryServer(try OperationsEngine(metrics: registry, health: health))
    }

    @Test func servesMetricsAsText() async throws {
        let registry = MetricsRegistry()
        Counter(label: "x", factory: registry).increment()
        let response = try await server(registry).response(to: .get("/metrics"))
        #expect(response.status == .ok)
        #expect(response.headerFields[.contentType] == "text/plain; version=0.0.4; charset=utf-8")
        #expect(response.headerFields[.cacheControl] == "no-store")
        #expect(String(decoding: response.body, as: UTF8.self).hasPrefix("# TYPE metrics_dropped_total") == false)
        #expect(String(decoding: response.body, as: UTF8.self).contains("# TYPE x counter\nx 1\n"))
    }

    @Test func hasNoOtherRoutes() async throws {
        let server = try server(nil)
        #expect(try await server.response(to: .get("/metrics")).status == .notFound)
        #expect(try await server.response(to: .get("/")).status == .notFound)
        #expect(try await server.response(to: .post("/ready")).status == .methodNotAllowed)
    }
}
#endif
