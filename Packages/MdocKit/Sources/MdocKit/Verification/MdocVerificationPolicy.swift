public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A reader's demands beyond the checks that are always made.
public struct MdocVerificationPolicy: Sendable {
    /// Indicates that a credential may be valid no longer than the document signer's certificate.
    ///
    /// The standard demands it of issuers and leaves it to readers; off by default.
    public var requiresValidityWithinSignerCertificate = false

    /// The departures of document signers' certificates from their profile that do not refuse a credential; those met stand
    /// in the verification's deviations.
    public var certificateTolerances: Set<CertificateTolerance> = []

    /// The tolerated difference between the clocks of issuer and reader, in seconds: for the period of a credential, not for those of
    /// certificates.
    ///
    /// The standard has none. A credential that was just issued is not valid yet where the reader's clock is behind.
    public var clockSkew: TimeInterval = 0

    /// The tolerated deviations of a credential that are detected in verification.
    ///
    /// An example is ``MdocTolerance/countryCase``. Detected deviations are listed in the verification's deviations.
    /// Use ``MdocReadingOptions/tolerances`` for those that are detected in reading.
    public var tolerances: Set<MdocTolerance> = []

    /// The demand on the status of credentials.
    ///
    /// By default a credential that names its status must be valid, and one that names none, which cannot be revoked, is
    /// taken.
    public var status = StatusPolicy.whenNamed

    /// The largest age of the statement that a credential is valid, by document type; by default any age.
    ///
    /// A credential with an older statement has an unknown status. A checker that keeps lists fetches a later one first.
    public var maximumStatusAge = MaximumStatusAge()

    /// Indicates that the verdict requires proof that the issuer's certificate is not revoked.
    ///
    /// Off by default: an available revocation list is still used. If it is on, a credential without a current list of
    /// its issuer's authority is refused, since its status is unknown.
    public var requiresSignerRevocationStatus = false

    /// Indicates that costly checks are made of a document that is refused already.
    ///
    /// Off by default: once a check up to that of the issuer's signature has failed, the digests and the device key
    /// have no issuer behind them. That signature, digests, key authorizations and device authentication are then left
    /// unchecked. The verdict is the same, and a forged response costs little. If it is on, the outcomes show every
    /// fault, for diagnosing your own documents.
    public var makesAllChecks = false

    /// The demands of the standard: certificates keep their profiles.
    public static let strict = MdocVerificationPolicy()

    /// The policy for real issuers: certificates may deviate from their profiles, and credentials from the standard,
    /// where that is harmless; clocks may differ by a minute.
    public static let deployed: MdocVerificationPolicy = {
        var policy = MdocVerificationPolicy()
        policy.certificateTolerances = .deployed
        policy.tolerances = .deployed
        policy.clockSkew = VerificationTime.defaultClockSkew
        return policy
    }()

    /// Creates a policy with the defaults, to be changed one by one.
    public init() {}
}
