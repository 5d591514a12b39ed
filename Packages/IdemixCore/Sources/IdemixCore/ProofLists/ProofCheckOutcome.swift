/// The outcome of one check.
public struct ProofCheckOutcome: Hashable, Sendable {
    /// The check.
    public let check: ProofCheck
    /// The result of the check.
    public let result: Result

    /// The possible results of a check.
    public enum Result: Hashable, Sendable {
        /// It holds for all proofs.
        case passed
        /// It does not hold: for which proof (nil: the list), and why.
        case failed(proof: Int?, reason: String)
        /// An earlier check failed.
        case notMade
    }
}
