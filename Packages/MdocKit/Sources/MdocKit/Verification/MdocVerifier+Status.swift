import CryptoCore
import VerificationCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension MdocVerifier {
    /// Returns `true` if a certificate of the issuer is revoked (12.8.3).
    ///
    /// - Parameters:
    ///   - signer: The issuer's certificate chain; nil if it is refused already. Asked for only where it is needed.
    ///   - isRefused: Indicates that the chain is refused already.
    ///   - now: The time.
    nonisolated(nonsending) func signerRevocation(
        of signer: @autoclosure () -> ValidatedCertificateChain?,
        isRefused: Bool,
        at now: Date
    ) async -> CheckResult.Outcome {
        guard !isRefused else { return .notReached }
        let status: CredentialStatus
        if let signerRevocationChecker, let signer = signer() {
            status = await signerRevocationChecker.status(of: signer, at: now)
        } else {
            status = .unknown("the verifier has no revocation lists")
        }
        do throws(CheckFault) {
            try status.requireValid()
            return .passed
        } catch {
            switch error.outcome {
            case .failed(.statusUnknown, let message), .unavailable(_, let message):
                return policy.requiresSignerRevocationStatus
                    ? .unavailable(.statusUnknown, message) : .waived("signerRevocation", message)
            default: return .failed(.invalidSignerCertificate, "a certificate of the issuer is revoked or suspended")
            }
        }
    }

    /// Makes the check of the credential's status (12.3.6), for which others are asked only if every other check has passed.
    func checkStatus(_ checks: inout IssuerChecks) async {
        let (signer, docType, now) = (checks.signer, checks.mobileSecurityObject.docType, checks.now)
        await checks.checkStatus(policy.status) { await status(named: $0, of: signer.chain, docType, at: now) }
    }

    /// The status of a credential, as far as the verifier can find it out.
    func status(
        named status: MobileSecurityObject.Status,
        of signer: ValidatedCertificateChain?,
        _ docType: DocType,
        at now: Date
    ) async -> StatusFinding {
        guard let statusChecker, let signer else {
            return .unknown("the credential can be revoked, and the verifier has no status checker")
        }
        let maximumAge = policy.maximumStatusAge[docType]
        let finding = await statusChecker.status(named: status, of: signer, refreshingAfter: maximumAge, at: now)
        return policy.maximumStatusAge.limit(finding, for: docType, at: now)
    }
}
