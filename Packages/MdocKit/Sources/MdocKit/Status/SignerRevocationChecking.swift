public import CryptoCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Finds out whether the certificates of credentials' signers are revoked.
///
/// ``SignerRevocationChecker`` does so by certificate revocation lists.
public protocol SignerRevocationChecking: Sendable {
    /// What is known about the certificates of a chain, the trust anchor's left out.
    ///
    /// An implementation says ``SignerRevocationVerdict/good`` only where it learnt that from the authorities of the chain;
    /// it does not throw.
    ///
    /// - Parameters:
    ///   - signer: The validated certificate chain of the credential's issuer.
    ///   - time: The time of the verification.
    func verdict(on signer: ValidatedCertificateChain, at time: Date) async -> SignerRevocationVerdict
}
