#if Server
public import CoreMetrics
import Synchronization

/// Metrics of a process in memory, for Prometheus to fetch.
///
/// ```swift
/// let registry = MetricsRegistry()
/// MetricsSystem.bootstrap(registry)
/// ```
///
/// It takes the metrics of everything that reports through swift-metrics. Counters become counters, meters and
/// recorders without aggregation gauges, other recorders histograms, and timers histograms of seconds whose name ends
/// in `_seconds`. Memory is bounded by ``MetricsLimits``: label values that exceed the number of series share one.
public final class MetricsRegistry: Sendable {
    /// The kind of a metric, as Prometheus has it.
    enum Kind: String, Sendable {
        case counter
        case gauge
        case histogram
    }

    private struct Metric: Sendable {
        let kind: Kind
        var series: [MetricLabels: any MetricSeries] = [:]
    }

    private struct State {
        var metrics: [String: Metric] = [:]
        var help: [String: String] = [:]
        var bounds: [String: [Double]] = [:]
        var dropped: UInt64 = 0
        var overflowed: UInt64 = 0
    }

    private let limits: MetricsLimits
    private let state = Mutex(State())

    /// The upper bounds of buckets in seconds, unless ``describe(_:help:bounds:)`` sets others.
    public static let defaultBounds: [Double] = [
        0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]

    /// The type of the text of ``text()``.
    public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private static let droppedName = "metrics_dropped_total"
    private static let overflowedName = "metrics_overflowed_total"

    /// A registry without metrics.
    public init(limits: MetricsLimits = .default) {
        self.limits = limits
    }

    /// Describes a metric, before its first value.
    ///
    /// - Parameters:
    ///   - label: The name that the metric is recorded under.
    ///   - help: A sentence for the text format.
    ///   - bounds: The upper bounds of a histogram's buckets, rising; nil for the default ones.
    /// - Throws: ``OperationsError/Code/invalidBounds`` for bounds that do not rise, or are not finite.
    public func describe(_ label: String, help: String, bounds: [Double]? = nil) throws(OperationsError) {
        if let bounds {
            let rises = zip(bounds, bounds.dropFirst()).allSatisfy { $0 < $1 }
            guard !bounds.isEmpty, bounds.count <= 100, bounds.allSatisfy(\.isFinite), rises else {
                throw OperationsError(.invalidBounds, "the bounds of the buckets do not rise", path: [label])
            }
        }
        let name = MetricName.metric(label)
        state.withLock { state in
            guard state.help[name] != nil || state.help.count < limits.maximumMetrics else { return }
            state.help[name] = help
            state.bounds[name] = bounds
        }
    }

    /// The metrics in the text format of Prometheus, version 0.0.4, in the order of their names.
    public func text() -> String {
        let (metrics, help, dropped, overflowed) = state.withLock {
            ($0.metrics, $0.help, $0.dropped, $0.overflowed)
        }
        var lines: [String] = []
        for (name, metric) in metrics.sorted(by: { $0.key < $1.key }) where !metric.series.isEmpty {
            if let help = help[name] { lines.append("# HELP \(name) \(MetricName.escapedHelp(help))") }
            lines.append("# TYPE \(name) \(metric.kind.rawValue)")
            let series = metric.series.map { (labels: $0.key, text: $0.key.text(), series: $0.value) }
            for entry in series.sorted(by: { $0.text < $1.text }) { lines += entry.series.lines(name, entry.labels) }
        }
        lines += [
            "# HELP \(Self.droppedName) Metrics that were not recorded: too many, or one name with two kinds.",
            "# TYPE \(Self.droppedName) counter", "\(Self.droppedName) \(dropped)",
            "# HELP \(Self.overflowedName) Series recorded as other, since their metric has too many.",
            "# TYPE \(Self.overflowedName) counter", "\(Self.overflowedName) \(overflowed)",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    /// The series of a metric with these labels; nil if the metric is not recorded.
    private func series<Series: MetricSeries>(
        _ label: String,
        _ dimensions: [(String, String)],
        _ kind: Kind,
        suffix: String = "",
        _ make: ([Double]) -> Series
    ) -> Series? {
        var name = MetricName.metric(label)
        if !suffix.isEmpty, !name.hasSuffix(suffix) { name += suffix }
        let wanted = MetricLabels(dimensions, maximumSize: limits.maximumLabelSize)
        return state.withLock { state -> Series? in
            let isNew = state.metrics[name] == nil
            var metric = state.metrics[name] ?? Metric(kind: kind)
            let isReserved = name == Self.droppedName || name == Self.overflowedName
            guard metric.kind == kind, !isReserved, !isNew || state.metrics.count < limits.maximumMetrics else {
                state.dropped &+= 1
                return nil
            }
            var labels = wanted
            if metric.series[labels] == nil, metric.series.count >= limits.maximumSeries {
                state.overflowed &+= 1
                labels = labels.overflow
            }
            if let known = metric.series[labels] { return known as? Series }
            // Every set of label names has a series of its own for what exceeds the number: these are bounded, too.
            guard metric.series.count / 2 < limits.maximumSeries else { return nil }
            let series = make(state.bounds[name] ?? state.bounds[MetricName.metric(label)] ?? Self.defaultBounds)
            metric.series[labels] = series
            state.metrics[name] = metric
            return series
        }
    }

    private func remove(_ handler: AnyObject) {
        state.withLock { state in
            for (name, metric) in state.metrics {
                guard let labels = metric.series.first(where: { $0.value === handler })?.key else { continue }
                state.metrics[name]?.series[labels] = nil
                return
            }
        }
    }
}

extension MetricsRegistry: MetricsFactory {
    /// The counter with a name and labels.
    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(label, dimensions, .counter) { _ in CounterSeries() } ?? NOOPMetricsHandler.instance
    }

    /// The counter with a name and labels.
    public func makeFloatingPointCounter(
        label: String,
        dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        series(label, dimensions, .counter) { _ in CounterSeries() } ?? NOOPMetricsHandler.instance
    }

    /// The gauge with a name and labels.
    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(label, dimensions, .gauge) { _ in GaugeSeries() } ?? NOOPMetricsHandler.instance
    }

    /// The histogram with a name and labels, or the gauge if values are not aggregated.
    public func makeRecorder(
        label: String,
        dimensions: [(String, String)],
        aggregate: Bool
    ) -> any RecorderHandler {
        guard aggregate else {
            return series(label, dimensions, .gauge) { _ in GaugeSeries() } ?? NOOPMetricsHandler.instance
        }
        return series(label, dimensions, .histogram, HistogramSeries.init) ?? NOOPMetricsHandler.instance
    }

    /// The histogram of seconds with a name and labels.
    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(label, dimensions, .histogram, suffix: "_seconds", HistogramSeries.init) ?? NOOPMetricsHandler.instance
    }

    /// Forgets a counter.
    public func destroyCounter(_ handler: any CounterHandler) { remove(handler) }

    /// Forgets a counter.
    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) { remove(handler) }

    /// Forgets a gauge.
    public func destroyMeter(_ handler: any MeterHandler) { remove(handler) }

    /// Forgets a recorder.
    public func destroyRecorder(_ handler: any RecorderHandler) { remove(handler) }

    /// Forgets a timer.
    public func destroyTimer(_ handler: any TimerHandler) { remove(handler) }
}

/// Limits for a ``MetricsRegistry``, so that no input makes it grow without end.
public struct MetricsLimits: Hashable, Sendable {
    /// The largest number of metrics: 512 by default; further ones are not recorded.
    public var maximumMetrics: Int
    /// The largest number of series, which are sets of label values, of one metric: 256 by default.
    ///
    /// Further ones are recorded in one series whose label values are all `other`.
    public var maximumSeries: Int
    /// The largest number of bytes in a label's value: 128 by default; longer ones are cut.
    public var maximumLabelSize: Int

    /// Limits for general use, each property at its default.
    public static let `default` = MetricsLimits()

    /// Sets the limits; omitted ones have their defaults.
    public init(maximumMetrics: Int = 512, maximumSeries: Int = 256, maximumLabelSize: Int = 128) {
        self.maximumMetrics = maximumMetrics
        self.maximumSeries = maximumSeries
        self.maximumLabelSize = maximumLabelSize
    }
}
#endif
