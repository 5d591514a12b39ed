#if Server
import CoreMetrics
import Synchronization

/// The values of one series.
protocol MetricSeries: AnyObject, Sendable {
    /// The lines of the series in the text format.
    func lines(_ name: String, _ labels: MetricLabels) -> [String]
}

/// A count that only rises.
final class CounterSeries: MetricSeries, CounterHandler, FloatingPointCounterHandler {
    private let value = Mutex(0.0)

    func increment(by amount: Int64) {
        increment(by: Double(amount))
    }

    /// Adds an amount; one that is negative or not finite is left out.
    func increment(by amount: Double) {
        guard amount >= 0, amount.isFinite else { return }
        value.withLock { $0 += amount }
    }

    func reset() {
        value.withLock { $0 = 0 }
    }

    func lines(_ name: String, _ labels: MetricLabels) -> [String] {
        ["\(name)\(labels.text()) \(MetricName.number(value.withLock { $0 }))"]
    }
}

/// A value that rises and falls.
final class GaugeSeries: MetricSeries, MeterHandler, RecorderHandler {
    private let value = Mutex(0.0)

    func set(_ value: Int64) {
        set(Double(value))
    }

    func set(_ value: Double) {
        self.value.withLock { $0 = value }
    }

    func increment(by amount: Double) {
        value.withLock { $0 += amount }
    }

    func decrement(by amount: Double) {
        value.withLock { $0 -= amount }
    }

    func record(_ value: Int64) {
        set(Double(value))
    }

    func record(_ value: Double) {
        set(value)
    }

    func lines(_ name: String, _ labels: MetricLabels) -> [String] {
        ["\(name)\(labels.text()) \(MetricName.number(value.withLock { $0 }))"]
    }
}

/// Counts of values by their size; timers record seconds.
final class HistogramSeries: MetricSeries, RecorderHandler, TimerHandler {
    private struct State {
        var counts: [UInt64]
        var count: UInt64 = 0
        var sum = 0.0
    }

    private let bounds: [Double]
    private let state: Mutex<State>

    /// A histogram.
    ///
    /// - Parameter bounds: The upper bounds of the buckets, rising; the last, without a bound, is left out.
    init(bounds: [Double]) {
        self.bounds = bounds
        state = Mutex(State(counts: Array(repeating: 0, count: bounds.count)))
    }

    func record(_ value: Int64) {
        record(Double(value))
    }

    func record(_ value: Double) {
        guard !value.isNaN else { return }
        let bucket = bounds.firstIndex { value <= $0 }
        state.withLock { state in
            if let bucket { state.counts[bucket] &+= 1 }
            state.count &+= 1
            state.sum += value
        }
    }

    func recordNanoseconds(_ duration: Int64) {
        record(Double(duration) / 1e9)
    }

    func lines(_ name: String, _ labels: MetricLabels) -> [String] {
        let state = state.withLock { $0 }
        var total: UInt64 = 0
        var lines: [String] = []
        for (bound, count) in zip(bounds, state.counts) {
            total &+= count
            lines.append("\(name)_bucket\(labels.text(adding: ("le", MetricName.number(bound)))) \(total)")
        }
        lines.append("\(name)_bucket\(labels.text(adding: ("le", "+Inf"))) \(state.count)")
        lines.append("\(name)_sum\(labels.text()) \(MetricName.number(state.sum))")
        lines.append("\(name)_count\(labels.text()) \(state.count)")
        return lines
    }
}
#endif
