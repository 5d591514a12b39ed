public import CryptoCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Finds out whether credentials are revoked.
///
/// ``MdocStatusChecker`` does so by the two mechanisms of ISO/IEC 18013-5; another one can ask an issuer's own service.
public protocol CredentialStatusChecking: Sendable {
    /// What is known about a credential's status.
    ///
    /// An implementation says ``CredentialStatusVerdict/valid`` only where it learnt that from a party that may speak about
    /// the credential, and ``CredentialStatusVerdict/unknown(_:)`` wherever it could not; it does not throw.
    ///
    /// - Parameters:
    ///   - status: Where the credential says that its status is found; the issuer's signature over it is verified.
    ///   - signer: The validated certificate chain of the credential's issuer.
    ///   - time: The time of the verification.
    func verdict(
        on status: CredentialStatus,
        of signer: ValidatedCertificateChain,
        at time: Date
    ) async -> CredentialStatusVerdict
}
