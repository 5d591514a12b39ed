/// The results of the damaged variants of one file or of several.
struct MutationTally: Sendable {
    var truncated = 0
    var mutated = 0
    var accepted = 0
    var slowest = Duration.zero

    static func += (total: inout MutationTally, part: MutationTally) {
        total.truncated += part.truncated
        total.mutated += part.mutated
        total.accepted += part.accepted
        total.slowest = max(total.slowest, part.slowest)
    }
}

extension MutationTally: CustomStringConvertible {
    var description: String {
        let refused = truncated + mutated - accepted
        let slowest = slowest / .milliseconds(1)
        let tenths = (slowest * 10).rounded() / 10
        return "\(truncated) truncated, \(mutated) mutated, \(accepted) read, \(refused) refused, slowest \(tenths) ms"
    }
}
