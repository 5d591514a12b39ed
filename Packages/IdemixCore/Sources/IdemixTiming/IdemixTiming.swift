import Foundation

/// Shows whether the time of the operations on secrets depends on the secrets.
///
///     IdemixTiming count first|second         for callgrind, see scripts/check-constant-time
///     IdemixTiming time SAMPLES [OPERATION…]  Welch's t between the two classes, see scripts/bench --timing
@main
enum IdemixTiming {
    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch (arguments.first, arguments.dropFirst().first) {
        case ("count", "first"): try count(.first)
        case ("count", "second"): try count(.second)
        case ("time", let samples?):
            guard let samples = Int(samples), samples >= 100 else { usage() }
            try time(samples, of: Set(arguments.dropFirst(2)))
        default: usage()
        }
    }

    /// The number of measurements of an operation: the third use of a base builds its table, the fourth uses it.
    private static let repetitions = 4

    /// The copies of each class's secrets where times are taken.
    private static let copies = 32

    /// Runs each operation with one class of secrets, and prints its name once for each counted run.
    private static func count(_ secrets: SecretClass) throws {
        for operation in try Operation.all(copies: 1) {
            // Warms up the key's tables and the runtime's caches equally for both classes.
            for _ in 0..<repetitions { try operation.run(.warmUp, seed: 1) { $0() } }
            for _ in 0..<repetitions {
                try operation.run(secrets, seed: 2) { measured($0) }
                print(operation.name)
            }
        }
    }

    /// Measures each operation with both classes in random order, and prints t.
    private static func time(_ samples: Int, of names: Set<String>) throws {
        for operation in try Operation.all(copies: copies) where names.isEmpty || names.contains(operation.name) {
            for _ in 0..<10 { try operation.run(.warmUp, seed: 1) { $0() } }
            var times: [(isFirst: Bool, time: Double)] = []
            times.reserveCapacity(samples)
            for sample in 0..<samples {
                let isFirst = Bool.random()
                try operation.run(isFirst ? .first : .second, seed: UInt64(sample)) { body in
                    let started = threadTime()
                    measured(body)
                    times.append((isFirst, threadTime() - started))
                }
            }
            print(WelchTest(times).report(operation.name))
            fflush(nil)
        }
    }

    /// The CPU time of the thread, in seconds: other processes do not count.
    private static func threadTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    private static func usage() -> Never {
        print(
            "usage: IdemixTiming count first|second, or IdemixTiming time SAMPLES [OPERATION…] with 100 samples or more"
        )
        exit(2)
    }
}

/// Runs the code that is counted and timed; the name is for callgrind's `--toggle-collect`.
@inline(never) @_silgen_name("idemix_timing_measured")
func measured(_ body: () -> Void) { body() }
