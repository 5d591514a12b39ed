/// What came of the verification of a list of proofs.
public struct ProofListVerdict: Sendable {
    /// Every check, in order.
    public let outcomes: [ProofCheckOutcome]
    /// What the proofs show, where all checks passed.
    public let verified: VerifiedProofList?

    /// The check that failed, or nil where all passed.
    public var failure: ProofCheckOutcome? {
        outcomes.first { if case .failed = $0.result { true } else { false } }
    }
}
