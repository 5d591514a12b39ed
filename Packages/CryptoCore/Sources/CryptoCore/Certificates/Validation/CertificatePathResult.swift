/// The outcome of a path validation: the verdict, and the outcome of every check.
public struct CertificatePathResult: Sendable {
    /// Valid, with the chain; or invalid, with the first failure.
    public enum Verdict: Sendable {
        /// Every check passed.
        case valid(ValidatedCertificateChain)
        /// A check failed; later ones may have failed too.
        case invalid(CertificatePathFailure)
    }

    /// The outcome of one check.
    public enum Outcome: Hashable, Sendable {
        /// The check passed.
        case passed
        /// The check failed.
        case failed(CertificatePathFailure)
        /// The check could not be made, or was not worth its cost, after what had failed before.
        case notRun
    }

    /// Valid or not.
    public let verdict: Verdict

    /// Every check with its outcome, in the order of ``CertificatePathCheck/all``.
    public var checks: [(check: CertificatePathCheck, outcome: Outcome)] { outcomes ?? Self.allPassed }

    /// Every check with its outcome; nil where all of them passed, so that a chain from the cache costs no array.
    private let outcomes: [(check: CertificatePathCheck, outcome: Outcome)]?

    private static let allPassed = CertificatePathCheck.all.map { (check: $0, outcome: Outcome.passed) }

    /// Every check passed.
    init(valid chain: ValidatedCertificateChain) {
        verdict = .valid(chain)
        outcomes = nil
    }

    init(verdict: Verdict, checks: [(check: CertificatePathCheck, outcome: Outcome)]) {
        self.verdict = verdict
        outcomes = checks
    }

    /// The chain where the verdict is valid, or nil.
    public var chain: ValidatedCertificateChain? {
        if case .valid(let chain) = verdict { chain } else { nil }
    }

    /// The first failure where the verdict is invalid, or nil.
    public var failure: CertificatePathFailure? {
        if case .invalid(let failure) = verdict { failure } else { nil }
    }
}
