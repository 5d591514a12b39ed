public import CryptoCore
public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Finds out whether credentials are revoked.
///
/// ``MdocStatusChecker`` does so by the two mechanisms of ISO/IEC 18013-5; another one can ask an issuer's own service.
public protocol CredentialStatusChecking: Sendable {
    /// Returns the known status of a credential.
    ///
    /// An implementation returns `valid` only if a party entitled to speak about the credential said so, and `unknown` in
    /// every other case without an answer; it does not throw.
    ///
    /// - Parameters:
    ///   - reference: The credential's references to its status; the issuer's signature over them is verified.
    ///   - signer: The validated certificate chain of the credential's issuer.
    ///   - time: The time of the verification.
    func status(
        named reference: MobileSecurityObject.Status,
        of signer: ValidatedCertificateChain,
        at time: Date
    ) async -> StatusFinding
}
