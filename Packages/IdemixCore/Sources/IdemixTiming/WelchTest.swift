/// Welch's t-test between the times of two classes, as in dudect: over all samples, and without the slowest ones, which
/// interrupts have delayed.
struct WelchTest {
    private let times: [(isFirst: Bool, time: Double)]
    /// The threshold of |t| above which the classes are distinguishable.
    static let threshold = 4.5

    init(_ times: [(isFirst: Bool, time: Double)]) {
        self.times = times.sorted { $0.time < $1.time }
    }

    /// t over the fastest samples, for the given fraction of them.
    func t(fastest part: Double) -> Double {
        let kept = times.prefix(Int(Double(times.count) * part))
        func moments(_ isFirst: Bool) -> (count: Double, mean: Double, variance: Double) {
            let values = kept.filter { $0.isFirst == isFirst }.map(\.time)
            let count = Double(values.count)
            let mean = values.reduce(0, +) / max(1, count)
            let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
            return (count, mean, squares / max(1, count - 1))
        }
        let (first, second) = (moments(true), moments(false))
        guard first.count > 1, second.count > 1 else { return .infinity }
        let deviation = (first.variance / first.count + second.variance / second.count).squareRoot()
        return deviation > 0 ? (first.mean - second.mean) / deviation : 0
    }

    /// One line: the name, the median, t for several fractions, and the verdict.
    func report(_ name: String) -> String {
        let parts = [0.5, 0.9, 1]
        let values = parts.map { t(fastest: $0) }
        let figures = zip(parts, values).map { "\(Int($0 * 100)) %: \(rounded($1))" }.joined(separator: "  ")
        let holds = values.allSatisfy { $0.magnitude < Self.threshold }
        let median = rounded(times[times.count / 2].time * 1e6)
        return
            "\(name): \(median) µs, t of the fastest \(figures)  \(holds ? "holds" : "DIFFERS") (\(times.count) samples)"
    }

    private func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}
