#if Server
import CoreMetrics
import CredentialServingOperations
import IRMAMessages
import IRMAServer

/// The metrics of a server's sessions.
///
/// * `irma_events_total`, a counter by the session's `kind` and `event`: `started`, or the end, `done`, `cancelled` or `timeout`;
/// * `irma_callback_failures_total`, a counter of calls of requestors' URLs that failed: those with results, and those for next
///   sessions.
struct SessionMetrics: Sendable {
    /// The registry.
    let registry = MetricsRegistry()
    private let failures: Counter

    static let eventMetric = "irma_events_total"
    static let failureMetric = "irma_callback_failures_total"

    /// The kinds and events of every server, which are there with 0 before the first one.
    private static let kinds: [SessionKind] = [.disclosing, .signing, .issuing]
    private static let events: [SessionObservation.Event] = [.started, .done, .cancelled, .timedOut]

    /// The metrics of a server.
    ///
    /// - Throws: `OperationsError`, never for the descriptions of this type.
    init() throws {
        try RequestObserver.describeMetrics(in: registry)
        try registry.describe(Self.eventMetric, help: "Events of sessions: starts and ends.")
        try registry.describe(Self.failureMetric, help: "Calls of requestors' URLs that failed.")
        failures = Counter(label: Self.failureMetric, factory: registry)
        for kind in Self.kinds { for event in Self.events { _ = counter(of: event, kind) } }
    }

    /// Counts an event.
    func count(_ observation: SessionObservation) { counter(of: observation.event, observation.kind).increment() }

    /// Counts a call that failed.
    func countFailedCallback() { failures.increment() }

    private func counter(of event: SessionObservation.Event, _ kind: SessionKind) -> Counter {
        Counter(
            label: Self.eventMetric,
            dimensions: [("kind", kind.name), ("event", event.description)],
            factory: registry
        )
    }
}
#endif
