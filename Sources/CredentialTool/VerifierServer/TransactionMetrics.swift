#if Server
import CoreMetrics
import CredentialServingOperations
import OID4VPVerifier

/// The metrics of a server's transactions.
///
/// * `oid4vp_events_total`, a counter by `relying_party` and `event`, the event's name in the log of a transaction;
/// * `oid4vp_callback_failures_total`, a counter of attempts to send a result to a callback that failed.
struct TransactionMetrics: Sendable {
    /// The registry, with room for each event of each relying party.
    let registry: MetricsRegistry
    private let failures: Counter

    static let eventMetric = "oid4vp_events_total"
    static let failureMetric = "oid4vp_callback_failures_total"

    /// The events of every server, which are there with 0 before the first one.
    private static let usual: [TransactionEvent.Name] = [
        .created, .requestFetched, .responseReceived, .verified, .failed, .declined, .expired, .cancelled,
        .callbackAccepted, .callbackRefused, .storeFailed,
    ]
    /// More than the names of events that there are.
    private static let maximumEvents = 32

    /// The metrics of a server's relying parties.
    ///
    /// - Throws: `OperationsError`, never for the descriptions of this type.
    init(of parties: some Collection<String>) throws {
        let defaults = MetricsLimits.default.maximumSeries
        let limits = MetricsLimits(maximumSeries: max(defaults, (parties.count + 1) * Self.maximumEvents))
        registry = MetricsRegistry(limits: limits)
        try RequestObserver.describeMetrics(in: registry)
        try registry.describe(Self.eventMetric, help: "Events of transactions: starts, ends, callbacks and others.")
        try registry.describe(Self.failureMetric, help: "Attempts to send a result to a callback that failed.")
        failures = Counter(label: Self.failureMetric, factory: registry)
        for party in parties { for event in Self.usual { _ = counter(of: event, party) } }
    }

    /// Counts an event.
    func count(_ observation: TransactionObservation) {
        counter(of: observation.event.name, observation.relyingParty ?? "none").increment()
    }

    /// Counts an attempt that failed.
    func countFailedCallback() { failures.increment() }

    private func counter(of event: TransactionEvent.Name, _ party: String) -> Counter {
        Counter(
            label: Self.eventMetric,
            dimensions: [("relying_party", party), ("event", event.description)],
            factory: registry
        )
    }
}
#endif
