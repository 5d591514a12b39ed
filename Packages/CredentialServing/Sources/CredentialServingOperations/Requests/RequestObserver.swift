#if Server
public import CoreMetrics
import CredentialServing
public import Logging
public import Tracing

/// Metrics, a tracing span and a line of the log for each request to an engine.
///
/// ```swift
/// let observer = RequestObserver(server: "irma", logger: logger, metrics: registry)
/// let observed = engine.observed(by: observer)
/// ```
///
/// Labels and attributes are the method, the route's pattern and the status, never the path, a header or a body:
///
/// * `http_requests_total`, a counter, and `http_request_duration_seconds`, a histogram, by `server`, `method`, `route`
///   and `status`, which is a class such as `2xx`;
/// * `http_requests_active`, a gauge, by `server`;
/// * `http_responses_broken_total`, a counter by `server` and `route` of responses that broke off or were dropped.
///
/// The span is called after the method and the route, such as `GET /session/{token}`. It ends with the last byte of the
/// response, and continues the client's trace if the tracer takes one from the header.
public struct RequestObserver: Sendable {
    let server: String
    let logger: Logger?
    let level: Logger.Level
    let failureLevel: Logger.Level
    let clock: any Clock<Duration>
    let tracer: (any Tracer)?
    let metrics: any MetricsFactory
    let makeIdentifier: @Sendable () -> String
    let active: Meter

    /// The duration of a request, in seconds.
    public static let durationMetric = "http_request_duration"
    /// The number of requests.
    public static let countMetric = "http_requests_total"
    /// The number of requests being served.
    public static let activeMetric = "http_requests_active"
    /// The number of responses that broke off.
    public static let brokenMetric = "http_responses_broken_total"

    /// An observer.
    ///
    /// - Parameters:
    ///   - server: The name of the server in metrics, spans and logs.
    ///   - logger: The log for a line for each request; nil for none.
    ///   - level: The level of that line.
    ///   - failureLevel: The level for an answer with the status 500; nil for the same.
    ///   - metrics: Makes the metrics; the process's by default.
    ///   - tracer: Makes the spans; the process's by default.
    ///   - clock: The clock for durations.
    ///   - identifier: Makes the identifiers of requests; random by default.
    public init(
        server: String,
        logger: Logger? = nil,
        level: Logger.Level = .debug,
        failureLevel: Logger.Level? = nil,
        metrics: any MetricsFactory = MetricsSystem.factory,
        tracer: (any Tracer)? = nil,
        clock: any Clock<Duration> = ContinuousClock(),
        identifier: @escaping @Sendable () -> String = RequestObserver.randomIdentifier
    ) {
        self.server = server
        self.logger = logger
        self.level = level
        self.failureLevel = failureLevel ?? level
        self.clock = clock
        self.tracer = tracer
        self.metrics = metrics
        makeIdentifier = identifier
        active = Meter(label: Self.activeMetric, dimensions: [("server", server)], factory: metrics)
    }

    /// A random identifier of 16 hexadecimal digits.
    public static let randomIdentifier: @Sendable () -> String = {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// The identifier and the route of the current request, for the logs of the whole process.
    ///
    /// Give it to ``OperationsLogging``.
    public static let metadataProvider = Logger.MetadataProvider {
        guard let note = RequestNote.current else { return [:] }
        var metadata: Logger.Metadata = ["request.id": .string(note.identifier)]
        metadata["route"] = note.routePattern.map(Logger.MetadataValue.string)
        return metadata
    }

    /// Describes the metrics for a registry's text.
    ///
    /// - Throws: ``OperationsError``, never for the descriptions of this type.
    public static func describeMetrics(in registry: MetricsRegistry) throws(OperationsError) {
        try registry.describe(countMetric, help: "Requests by method, route and class of status.")
        try registry.describe(
            durationMetric + "_seconds",
            help: "Time from a request's header to the end of its response."
        )
        try registry.describe(activeMetric, help: "Requests being served.")
        try registry.describe(brokenMetric, help: "Responses that broke off or were dropped.")
    }
}
#endif
