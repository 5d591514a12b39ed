import CryptoCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension MdocVerifier {
    /// Whether a certificate of the issuer is revoked (12.8.3).
    ///
    /// - Parameters:
    ///   - signer: The issuer's certificate chain; nil where it is refused already. Asked for only where it is needed.
    ///   - isRefused: Whether the chain is refused already.
    ///   - now: The time.
    func signerRevocationVerdict(
        on signer: @autoclosure () -> ValidatedCertificateChain?,
        isRefused: Bool,
        at now: Date
    ) async -> CheckOutcome.Verdict {
        guard !isRefused else { return .notMade("the certificate chain failed before") }
        let verdict: SignerRevocationVerdict
        if let signerRevocationChecker, let signer = signer() {
            verdict = await signerRevocationChecker.verdict(on: signer, at: now)
        } else {
            verdict = .unknown("the verifier has no revocation lists")
        }
        switch verdict {
        case .good: return .passed
        case .revoked(let message): return .failed(.invalidSignerCertificate, message)
        case .unknown(let message):
            return policy.requiresSignerRevocationStatus ? .failed(.statusUnknown, message) : .notMade(message)
        }
    }

    /// The verdict on the credential's revocation (12.3.6), requested only if every other check has passed.
    ///
    /// - Parameters:
    ///   - status: The credential's references to its status.
    ///   - signer: The issuer's certificate chain; nil if it is refused already. Evaluated only if needed.
    ///   - isRefused: Whether the credential is refused already.
    ///   - isSkipped: Whether the caller skips the check.
    ///   - now: The time.
    func statusVerdict(
        _ status: MobileSecurityObject.Status?,
        of signer: @autoclosure () -> ValidatedCertificateChain?,
        isRefused: Bool,
        isSkipped: Bool,
        at now: Date
    ) async -> CheckOutcome.Verdict {
        guard !isSkipped else { return .notMade("switched off by the caller") }
        guard !isRefused else { return .notMade("the credential is refused already") }
        guard let status else {
            guard policy.requiresStatus else { return .notMade("the credential has no status") }
            return .failed(.statusUnknown, "the credential does not say where its status is found")
        }
        guard let statusChecker, let signer = signer() else {
            return .failed(.statusUnknown, "the credential can be revoked, and the verifier has no status checker")
        }
        return switch await statusChecker.verdict(on: status, of: signer, at: now) {
        case .valid: .passed
        case .revoked(let message): .failed(.statusRevoked, message)
        case .suspended(let message): .failed(.statusSuspended, message)
        case .unknown(let message): .failed(.statusUnknown, message)
        }
    }
}
