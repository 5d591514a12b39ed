import FuzzTargets
import TestSupport

extension MutationSubject {
    /// Feeds truncations and mutations of the inputs to their parsers, the same ones for the same seed.
    func sweep(_ effort: MutationEffort, seed: UInt64) -> MutationTally {
        var tally = MutationTally()
        feedTruncations(effort, seed, &tally)
        var mutator = Mutator(seed: seed)
        // A script runs whole verifications, so that a twentieth of the mutations takes as long.
        let isScript = name.contains("/script-")
        for round in 0..<(isScript ? effort.mutations / 20 : effort.mutations) {
            let input = inputs[round % inputs.count]
            let target = input.targets[round / inputs.count % input.targets.count]
            tally.feed(mutator.mutate(input.bytes), to: target)
            tally.mutated += 1
        }
        return tally
    }

    /// Feeds every truncation, or evenly spaced ones from an offset that depends on the seed.
    private func feedTruncations(_ effort: MutationEffort, _ seed: UInt64, _ tally: inout MutationTally) {
        let all = inputs.reduce(0) { $0 + $1.bytes.count * $1.targets.count }
        let step = effort.truncations.map { max(1, (all + $0 - 1) / max(1, $0)) } ?? 1
        var generator = RepeatableRandomNumberGenerator(seed: seed)
        var next = Int.random(in: 0..<step, using: &generator)
        for input in inputs {
            for target in input.targets {
                while next < input.bytes.count {
                    tally.feed(Array(input.bytes[..<next]), to: target)
                    tally.truncated += 1
                    next += step
                }
                next -= input.bytes.count
            }
        }
    }
}

extension MutationTally {
    fileprivate mutating func feed(_ bytes: [UInt8], to target: FuzzTarget) {
        let start = ThreadTime.now
        if target.reads(bytes) { accepted += 1 }
        slowest = max(slowest, ThreadTime.now - start)
    }
}
