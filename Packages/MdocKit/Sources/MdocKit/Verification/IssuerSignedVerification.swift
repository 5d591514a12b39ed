public import CryptoCore

/// The outcome of verifying a credential by itself, before it is stored.
public struct IssuerSignedVerification: Sendable {
    /// The credential, or why it is refused.
    public enum Verdict: Sendable {
        /// Every check that applies holds.
        case verified(VerifiedIssuerSigned)
        /// A check failed; the first failure is the reason.
        case refused(VerificationFailure)
    }

    /// The credential, or why it is refused.
    public let verdict: Verdict
    /// Every check in order, with its outcome.
    public let checks: [CheckOutcome]
    /// The tolerated deviations of the credential from the standard, starting with those detected in reading.
    public let deviations: [MdocDeviation]
    /// The departures of the issuer's certificate from its profile that were tolerated.
    public let certificateDeviations: [CertificateDeviation]
    /// Counters for the work done.
    package let work: VerificationWork

    init(_ checks: borrowing IssuerChecks) {
        self.checks = checks.outcomes
        deviations = checks.issuerSigned.deviations + checks.deviations
        certificateDeviations = checks.signer.deviations
        work = checks.work
        verdict =
            switch checks.conclusion {
            case .success(let credential): .verified(credential)
            case .failure(let failure): .refused(failure)
            }
    }
}
