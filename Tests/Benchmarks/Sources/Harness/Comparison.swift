/// The CPU times of two closures that were run in turn.
public struct Comparison: Sendable {
    /// The median time of a call of the first closure, in nanoseconds.
    public let nanosecondsOfA: Double
    /// The median time of a call of the second closure, in nanoseconds.
    public let nanosecondsOfB: Double
    /// The median of A/B, pair by pair.
    public let ratio: Double

    init(a: [Double], b: [Double]) {
        nanosecondsOfA = a.median
        nanosecondsOfB = b.median
        ratio = zip(a, b).map { $0 / $1 }.median
    }

    /// The speed of A relative to B: the median of B/A.
    public var speedup: Double { 1 / ratio }
}

extension [Double] {
    var median: Double {
        let sorted = sorted()
        guard !sorted.isEmpty else { return .nan }
        return sorted.count % 2 == 1
            ? sorted[sorted.count / 2] : (sorted[sorted.count / 2 - 1] + sorted[sorted.count / 2]) / 2
    }
}
