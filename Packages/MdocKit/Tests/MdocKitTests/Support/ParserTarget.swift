import MdocKit
import TestSupport
import Testing

/// A parser with an input that it takes, to be fed with damaged input.
struct ParserTarget {
    let name: String
    let input: [UInt8]
    let read: ([UInt8]) throws -> Void

    /// Returns `true` if the parser takes an input; any other error than the module's own is recorded.
    private func takes(_ bytes: [UInt8]) -> Bool {
        do {
            try read(bytes)
            return true
        } catch is MdocError {
            return false
        } catch {
            Issue.record("\(name): \(error)")
            return false
        }
    }

    /// Expects that the input is taken, and nothing that is shorter.
    func expectRefusalOfTruncations() {
        #expect(takes(input), "\(name)")
        for length in input.indices {
            #expect(!takes(Array(input[..<length])), "\(name) cut after \(length) bytes")
        }
    }

    /// Feeds mutations of the inputs to their parsers in turn, and expects that this takes little memory.
    static func mutate(_ targets: [ParserTarget], rounds: Int, seed: UInt64) throws {
        var mutator = Mutator(seed: seed)
        let before = try #require(PeakMemory.bytes)
        var taken: [String: Int] = [:]
        for round in 0..<rounds {
            let target = targets[round % targets.count]
            if target.takes(mutator.mutate(target.input)) { taken[target.name, default: 0] += 1 }
        }
        let growth = try #require(PeakMemory.bytes) - before
        #expect(growth < 64 << 20, "\(growth >> 20) MiB more than before")
        print("mutations: \(rounds) read, taken \(taken), \(growth >> 20) MiB more memory")
    }
}
