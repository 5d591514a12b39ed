public import CryptoCore
public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Finds out whether the certificates of credentials' signers are revoked.
///
/// ``SignerRevocationChecker`` does so by certificate revocation lists.
public protocol SignerRevocationChecking: Sendable {
    /// Returns the known revocation status of the certificates of a chain, without the trust anchor.
    ///
    /// An implementation returns `valid` only if the authorities of the chain said so; it does not throw.
    ///
    /// - Parameters:
    ///   - signer: The validated certificate chain of the credential's issuer.
    ///   - time: The time of the verification.
    func status(of signer: ValidatedCertificateChain, at time: Date) async -> CredentialStatus
}
