public import CryptoCore

/// What came of verifying a credential by itself, before it is stored.
public struct IssuerSignedVerification: Sendable {
    /// The credential, or why it is refused.
    public enum Verdict: Sendable {
        /// Every check that applies holds.
        case verified(VerifiedIssuerSigned)
        /// A check failed; the first one says why.
        case refused(VerificationFailure)
    }

    /// The credential, or why it is refused.
    public let verdict: Verdict
    /// Every check in order, with what came of it.
    public let checks: [CheckOutcome]
    /// The deviations from the standard that were tolerated in the credential, those met in reading it first.
    public let deviations: [MdocDeviation]
    /// The departures of the issuer's certificate from its profile that were tolerated.
    public let certificateDeviations: [CertificateDeviation]
    /// How much was done.
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
