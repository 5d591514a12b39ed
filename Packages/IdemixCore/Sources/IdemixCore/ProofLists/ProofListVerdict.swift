/// The outcome of verifying a list of proofs.
public struct ProofListVerdict: Sendable {
    /// Every check, in order.
    public let outcomes: [ProofCheckOutcome]
    /// The verified content of the proofs, or nil if a check failed.
    public let verified: VerifiedProofList?

    /// The check that failed, or nil where all passed.
    public var failure: ProofCheckOutcome? {
        outcomes.first { if case .failed = $0.result { true } else { false } }
    }
}
