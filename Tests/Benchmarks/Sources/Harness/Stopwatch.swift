/// Times closures in turn and in CPU time, so that neither a drifting clock speed nor other load decides a ratio.
///
/// The process is held on one core while it measures, see ``Core``.
public struct Stopwatch: Sendable {
    /// The number of samples of each closure.
    public let samples: Int
    /// The least CPU time of one sample.
    public let sampleDuration: Duration

    /// Makes a stopwatch; the defaults take about a quarter of a second a closure.
    public init(samples: Int = 25, sampleDuration: Duration = .milliseconds(10)) {
        self.samples = samples
        self.sampleDuration = sampleDuration
    }

    /// The median CPU time of one call, in nanoseconds.
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

    /// Times an asynchronous closure and a synchronous one in turn.
    nonisolated(nonsending) public func compare(
        _ a: nonisolated(nonsending) () async throws -> Void,
        withSynchronous b: () throws -> Void
    ) async rethrows -> Comparison {
        let iterationsOfA = try await calibrateAsynchronous(a)
        let iterationsOfB = try calibrate(b)
        var timesOfA: [Double] = []
        var timesOfB: [Double] = []
        for _ in 0..<samples {
            timesOfA.append(try await sample(iterationsOfA, a))
            timesOfB.append(try sample(iterationsOfB, b))
        }
        return Comparison(a: timesOfA, b: timesOfB)
    }

    /// Times two asynchronous closures in turn, by the time that passes: round trips wait for another process.
    public func compareRoundTrips(
        _ a: () async throws -> Void,
        with b: () async throws -> Void
    ) async rethrows -> Comparison {
        var timesOfA: [Double] = []
        var timesOfB: [Double] = []
        let iterations = 200
        for _ in 0..<samples {
            timesOfA.append(try await elapsed(iterations, a))
            timesOfB.append(try await elapsed(iterations, b))
        }
        return Comparison(a: timesOfA, b: timesOfB)
    }

    private func elapsed(_ iterations: Int, _ body: () async throws -> Void) async rethrows -> Double {
        let start = ContinuousClock.now
        for _ in 0..<iterations { try await body() }
        return (ContinuousClock.now - start) / .nanoseconds(1) / Double(iterations)
    }

    /// Times a closure that consumes one of a number of things at each call, in ten parts, in turn with another
    /// closure.
    public func compare<Thing>(
        using things: [Thing],
        _ a: (Thing) throws -> Void,
        with b: () throws -> Void
    ) rethrows -> Comparison {
        let iterationsOfB = try calibrate(b)
        let part = max(1, things.count / 10)
        var timesOfA: [Double] = []
        var timesOfB: [Double] = []
        for start in stride(from: 0, to: things.count - part + 1, by: part) {
            let time = try CPUClock.process.nanoseconds { for thing in things[start..<start + part] { try a(thing) } }
            timesOfA.append(time / Double(part))
            timesOfB.append(try sample(iterationsOfB, b))
        }
        return Comparison(a: timesOfA, b: timesOfB)
    }

    private func calibrate(_ body: () throws -> Void) rethrows -> Int {
        try body()
        var iterations = 1
        while true {
            let time = try sample(iterations, body) * Double(iterations)
            if time >= target { return iterations }
            iterations = next(iterations, after: time)
        }
    }

    nonisolated(nonsending) private func calibrateAsynchronous(
        _ body: nonisolated(nonsending) () async throws -> Void
    ) async rethrows -> Int {
        try await body()
        var iterations = 1
        while true {
            let time = try await sample(iterations, body) * Double(iterations)
            if time >= target { return iterations }
            iterations = next(iterations, after: time)
        }
    }

    private var target: Double { sampleDuration / .nanoseconds(1) }

    private func next(_ iterations: Int, after time: Double) -> Int {
        time * 10 < target ? iterations * 8 : iterations * 2
    }

    private func sample(_ iterations: Int, _ body: () throws -> Void) rethrows -> Double {
        try CPUClock.process.nanoseconds { for _ in 0..<iterations { try body() } } / Double(iterations)
    }

    nonisolated(nonsending) private func sample(
        _ iterations: Int,
        _ body: nonisolated(nonsending) () async throws -> Void
    ) async rethrows -> Double {
        let start = CPUClock.process.now
        for _ in 0..<iterations { try await body() }
        return (CPUClock.process.now - start) / Double(iterations)
    }
}
