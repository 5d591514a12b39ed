/// The outcome of verifying a trust list.
public struct TrustListVerification<List: Sendable>: Sendable {
    /// The list, or why it is refused.
    public enum Verdict: Sendable {
        /// Every check holds.
        case verified(List)
        /// A check failed; the first failure is the reason.
        case refused(TrustListFailure)
    }

    /// The list, or why it is refused.
    public let verdict: Verdict
    /// Every check in order, with its outcome.
    public let checks: [(check: TrustListCheck, outcome: TrustListOutcome)]

    /// The list, if it is verified.
    public var list: List? {
        guard case .verified(let list) = verdict else { return nil }
        return list
    }

    /// The reason that the list is refused, or nil.
    public var failure: TrustListFailure? {
        guard case .refused(let failure) = verdict else { return nil }
        return failure
    }
}
