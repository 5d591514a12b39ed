#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A chain of certificates that a ``CertificatePathValidator`` found valid.
///
/// Nothing else makes one.
public struct ValidatedCertificateChain: Hashable, Sendable {
    /// The certificates from the leaf to the one that the anchor signed; the anchor is not among them.
    public let certificates: [Certificate]

    /// The trust anchor that the chain ends at.
    public let anchor: Certificate

    /// The certificate whose key is vouched for.
    public let leaf: Certificate

    /// The leaf's key, ready to verify with.
    public let leafPublicKey: PublicKey

    /// The time for which the chain was validated.
    public let validationTime: Date

    /// The first second at which every certificate that the policy looks at is valid.
    public let notValidBefore: Date

    /// The last second at which every certificate that the policy looks at is valid.
    public let notValidAfter: Date

    /// Departures from the policy's profiles that the policy tolerates, those of the leaf first.
    public let toleratedDeviations: [CertificateDeviation]

    /// Whether the chain's certificates are valid at a time too, both ends included.
    public func isWithinValidity(at time: Date) -> Bool {
        notValidBefore <= time && time <= notValidAfter
    }
}
