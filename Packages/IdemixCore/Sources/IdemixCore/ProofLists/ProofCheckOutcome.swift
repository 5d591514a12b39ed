/// How one check came out.
public struct ProofCheckOutcome: Hashable, Sendable {
    /// What was checked.
    public let check: ProofCheck
    /// How it came out.
    public let result: Result

    /// How a check can come out.
    public enum Result: Hashable, Sendable {
        /// It holds for all proofs.
        case passed
        /// It does not hold: for which proof (nil: the list), and why.
        case failed(proof: Int?, reason: String)
        /// An earlier check failed.
        case notMade
    }
}
