import Foundation
import Synchronization

/// The cost of work on two threads at once, against that on one, beside the same of a bare primitive.
///
/// CPU time shows the cost of shared memory. A thread that waits for a lock spends none, so its waits are counted
/// separately.
public struct Contention: Sendable {
    /// The CPU time of one round of the primitive on two threads, over that on one: the median of ten.
    public let bareRatio: Double
    /// The gain of a second thread in the work, over its gain in the primitive: the median of ten pairs, taken in turn.
    public let gain: Double
    /// The number of waits per round of the work on two threads: the times that a thread gave up its core.
    public let waits: Double

    /// Measures closures, each with a thread and a core of its own; the first of them is also measured alone.
    public init(rounds: Int, _ work: [@Sendable () -> Void], bareRounds: Int, bare: [@Sendable () -> Void]) {
        var (bareRatios, gains): ([Double], [Double]) = ([], [])
        var waits = 0
        for _ in 0..<10 {
            let worked = Self.ratio(rounds, work)
            let bareRatio = Self.ratio(bareRounds, bare).ratio
            bareRatios.append(bareRatio)
            gains.append(bareRatio / worked.ratio)
            waits += worked.waits
        }
        bareRatio = bareRatios.median
        gain = gains.median
        self.waits = Double(waits) / Double(10 * rounds * work.count)
    }

    /// The rows of one verification: the gain of a second thread, and its waits.
    public func figures(layer: String, of work: String, beside bare: String) -> [Figure] {
        [
            Figure(layer: layer, name: "\(bare): CPU time of one on 2 threads / on 1", value: bareRatio),
            Figure(
                layer: layer,
                name: "\(work): gain of a second thread / the same of \(bare)",
                value: gain,
                bar: .atLeast(0.97)
            ),
            Figure(
                layer: layer,
                name: "\(work) on 2 threads: waits of a thread / verifications",
                value: waits,
                bar: .atMost(0.05)
            ),
        ]
    }

    /// The CPU time of one round on all threads, over that on one.
    private static func ratio(_ rounds: Int, _ bodies: [@Sendable () -> Void]) -> (ratio: Double, waits: Int) {
        let alone = run(rounds, Array(bodies.prefix(1)))
        let together = run(rounds, bodies)
        return (together.nanoseconds / alone.nanoseconds, together.waits)
    }

    /// The CPU time of one round, and the number of waits of all rounds.
    private static func run(
        _ rounds: Int,
        _ bodies: [@Sendable () -> Void]
    ) -> (nanoseconds: Double, waits: Int) {
        let total = Mutex((nanoseconds: 0.0, waits: 0))
        let (ready, go, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchGroup())
        for (index, body) in bodies.enumerated() {
            done.enter()
            Thread {
                if !Core.available.isEmpty { Core.available[index % Core.available.count].hold() }
                body()
                ready.signal()
                go.wait()
                let before = waitsOfThread
                let time = CPUClock.thread.nanoseconds { for _ in 0..<rounds { body() } }
                let waits = waitsOfThread - before
                total.withLock { $0 = ($0.nanoseconds + time, $0.waits + waits) }
                done.leave()
            }.start()
        }
        for _ in bodies { ready.wait() }
        for _ in bodies { go.signal() }
        done.wait()
        let (nanoseconds, waits) = total.withLock(\.self)
        return (nanoseconds / Double(rounds * bodies.count), waits)
    }

    /// The number of times that the calling thread gave up its core voluntarily.
    private static var waitsOfThread: Int {
        #if os(Linux)
        var usage = rusage()
        // RUSAGE_THREAD, which the headers declare for GNU C programs only.
        getrusage(__rusage_who_t(1), &usage)
        return Int(usage.ru_nvcsw)
        #else
        return 0
        #endif
    }
}
