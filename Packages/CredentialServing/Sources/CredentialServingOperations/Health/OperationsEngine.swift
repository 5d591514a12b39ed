#if Server
public import CredentialServing
import HTTPTypes
import JSONKit

/// The engine of a server's own operations: metrics, health and readiness.
///
/// It belongs on a listener of its own, which only the operator reaches.
///
/// * `GET /metrics`: the metrics in Prometheus's text format 0.0.4.
/// * `GET /live`: 200 as long as the process answers.
/// * `GET /ready`: 200 if the server should get requests, otherwise 503, with the outcome of each check as JSON.
public struct OperationsEngine: HTTPEngine {
    private let engine: RoutedEngine

    /// An engine.
    ///
    /// - Parameters:
    ///   - metrics: The metrics of `/metrics`; nil for none.
    ///   - health: The checks of `/ready`.
    ///   - options: Deadline and limits.
    ///   - clock: The clock for the deadline.
    /// - Throws: `ServingError` for routes that no engine takes.
    public init(
        metrics: MetricsRegistry?,
        health: Health,
        options: RoutedEngineOptions = RoutedEngineOptions(deadline: .seconds(30), maximumBodySize: 0),
        clock: any Clock<Duration> = ContinuousClock()
    ) throws(ServingError) {
        var routes: [ServerRoute] = [
            .get("/live") { _ in Self.uncached(.text("alive\n")) },
            .get("/ready") { _ in Self.response(to: await health.report()) },
        ]
        if let metrics {
            routes.append(
                .get("/metrics") { _ in
                    var response = ServerResponse.text(metrics.text())
                    response.headerFields[.contentType] = MetricsRegistry.contentType
                    return Self.uncached(response)
                }
            )
        }
        engine = try RoutedEngine(routes, options: options, clock: clock)
    }

    /// Answers a request.
    public func response(to request: ServerRequest) async -> ServerResponse {
        await engine.response(to: request)
    }

    private static func response(to report: HealthReport) -> ServerResponse {
        let state = report.isStopping ? "stopping" : report.awaitedParts.isEmpty ? "failing" : "starting"
        let checks = report.entries.map { entry -> JSONValue in
            ["name": .string(entry.name), "outcome": .string(entry.outcome.rawValue)]
        }
        let body: JSONValue = ["status": .string(report.isReady ? "ready" : state), "checks": .array(checks)]
        return uncached(.json(Array("\(body)\n".utf8), status: report.isReady ? .ok : .serviceUnavailable))
    }

    private static func uncached(_ response: ServerResponse) -> ServerResponse {
        var response = response
        response.headerFields[.cacheControl] = "no-store"
        return response
    }
}
#endif
