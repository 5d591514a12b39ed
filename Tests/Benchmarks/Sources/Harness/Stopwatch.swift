/// Times closures in turn, so that a machine whose speed drifts treats them alike.
public struct Stopwatch: Sendable {
    /// How many samples of each closure are taken.
    public let samples: Int
    /// How long one sample lasts at least.
    public let sampleDuration: Duration

    /// Makes a stopwatch; the defaults take about a quarter of a second a closure.
    public init(samples: Int = 25, sampleDuration: Duration = .milliseconds(10)) {
        self.samples = samples
        self.sampleDuration = sampleDuration
    }

    /// The median time of one call, in nanoseconds.
    public func nanoseconds(of body: () throws -> Void) rethrows -> Double {
        let iterations = try calibrate(body)
        var times: [Double] = []
        for _ in 0..<samples { times.append(try sample(iterations, body)) }
        return times.median
    }

    /// Times two closures in turn: A B A B …; the ratio is the median over the pairs.
    public func compare(_ a: () throws -> Void, with b: () throws -> Void) rethrows -> Comparison {
        let iterationsOfA = try calibrate(a)
        let iterationsOfB = try calibrate(b)
        var timesOfA: [Double] = []
        var timesOfB: [Double] = []
        for _ in 0..<samples {
            timesOfA.append(try sample(iterationsOfA, a))
            timesOfB.append(try sample(iterationsOfB, b))
        }
        return Comparison(a: timesOfA, b: timesOfB)
    }

    private func calibrate(_ body: () throws -> Void) rethrows -> Int {
        try body()
        var iterations = 1
        while true {
            let time = try sample(iterations, body) * Double(iterations)
            if time >= sampleDuration.nanoseconds { return iterations }
            iterations = time * 10 < sampleDuration.nanoseconds ? iterations * 8 : iterations * 2
        }
    }

    private func sample(_ iterations: Int, _ body: () throws -> Void) rethrows -> Double {
        let clock = ContinuousClock()
        let start = clock.now
        for _ in 0..<iterations { try body() }
        return (clock.now - start).nanoseconds / Double(iterations)
    }
}

extension Duration {
    fileprivate var nanoseconds: Double {
        Double(components.seconds) * 1e9 + Double(components.attoseconds) / 1e9
    }
}
