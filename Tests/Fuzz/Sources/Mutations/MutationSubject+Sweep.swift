import FuzzTargets
import TestSupport

extension MutationSubject {
    /// Feeds every truncation of the inputs and as many mutations of them in all, the same ones in every run.
    func sweep(mutations: Int) -> MutationTally {
        var tally = MutationTally()
        for input in inputs {
            for count in input.bytes.indices {
                let cut = Array(input.bytes[..<count])
                for target in input.targets {
                    tally.feed(cut, to: target)
                    tally.truncated += 1
                }
            }
        }
        var mutator = Mutator(seed: 8949)
        for round in 0..<mutations {
            let input = inputs[round % inputs.count]
            let target = input.targets[round / inputs.count % input.targets.count]
            tally.feed(mutator.mutate(input.bytes), to: target)
            tally.mutated += 1
        }
        return tally
    }
}

extension MutationTally {
    fileprivate mutating func feed(_ bytes: [UInt8], to target: FuzzTarget) {
        let clock = ContinuousClock()
        let start = clock.now
        if target.reads(bytes) { accepted += 1 }
        slowest = max(slowest, start.duration(to: clock.now))
    }
}
