#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A standard's demands on the certificates of one role, as data.
///
/// The known profiles are static members; make others by changing a copy. ``deviations(of:issuer:)`` compares a
/// certificate with a profile. The caller decides whether a deviation refuses the certificate, for instance by
/// ``CertificatePathPolicy/toleratedDeviations``.
public struct CertificateProfile: Hashable, Sendable {
    /// The requirements for basicConstraints.
    public enum Authority: Hashable, Sendable {
        /// A certificate authority; with a number, exactly that path length.
        case certificateAuthority(pathLength: Int?)
        /// No certificate authority: basicConstraints is absent or says so.
        case endEntity
    }

    /// The name of the profile in errors and reports.
    public var name: String

    /// The longest validity period in seconds, or nil.
    public var maximumValidity: TimeInterval?

    /// The smallest number of octets of the serial number; 63 random bits take 8.
    public var minimumSerialNumberSize = 1

    /// The attributes that the subject must have.
    public var subjectAttributes: Set<OID> = []

    /// Indicates that countryName, if present, must be two upper-case letters in a PrintableString.
    public var requiresUpperCaseCountry = false

    /// Indicates that countryName, if present, must be a code that ISO 3166-1 assigns to a country.
    public var requiresAssignedCountry = false

    /// Indicates that text in names must be a PrintableString or UTF8String, and a subject's serialNumber a
    /// PrintableString.
    public var requiresModernStrings = false

    /// The attributes of the subject that must be UTF8Strings if present.
    public var utf8Attributes: Set<OID> = []

    /// Indicates that subject and issuer must have the same countryName, and the same stateOrProvinceName if the issuer
    /// has one.
    public var requiresIssuersCountry = false

    /// Indicates that the issuer's name must equal the issuer's subject byte by byte; for a root, its own subject.
    public var requiresSameNameBytes = false

    /// Indicates that the signature must verify with the issuer's key; for a root, with its own.
    ///
    /// Off in the known profiles, because path validation checks signatures itself.
    public var requiresIssuersSignature = false

    /// The curves that the key may be on, or nil for any key, RSA keys too.
    public var curves: Set<EllipticCurve>?

    /// The algorithms that the certificate may be signed with, or nil for all but those over SHA-1.
    public var signatureAlgorithms: Set<SignatureAlgorithm>?

    /// The requirements for basicConstraints.
    public var authority = Authority.endEntity

    /// The exact contents that keyUsage may have; empty for any.
    public var keyUsages: Set<KeyUsage> = []

    /// The purposes of which extKeyUsage must name one; nil for no demand.
    ///
    /// A certificate without extKeyUsage names none, and is refused if ``requiredExtensions`` has the extension. With
    /// an empty set, a certificate that is limited to any purpose deviates from the profile.
    /// ``OID/anyExtendedKeyUsage`` does not count as another purpose.
    public var purposes: Set<OID>?

    /// The required extensions.
    public var requiredExtensions: Set<OID> = []

    /// The extensions that must be critical if present.
    public var criticalExtensions: Set<OID> = []

    /// The extensions that, if present, may be critical or not.
    public var optionallyCriticalExtensions: Set<OID> = []

    /// Indicates that no other extension than ``criticalExtensions`` and ``optionallyCriticalExtensions`` may be
    /// critical.
    public var forbidsOtherCriticalExtensions = false

    /// The extensions that must not be there.
    public var forbiddenExtensions: Set<OID> = []

    /// Indicates that subjectKeyIdentifier must be the SHA-1 digest of the key's bits.
    public var requiresSHA1KeyIdentifier = false

    /// Indicates that issuerAltName, if present, must have an e-mail address or a URI.
    public var requiresContact = false

    /// Indicates that distribution points must be plain: at least one has a URI, and every one has a name, covers all
    /// reasons and is for the issuer's own list.
    public var requiresPlainDistributionPoints = false

    /// A profile that demands version 3, a positive serial number of at most 20 octets, exact DER, no unknown critical
    /// extension, and an end entity.
    public init(name: String) {
        self.name = name
    }

    /// Every departure of a certificate from this profile, in a fixed order; empty if it keeps the profile.
    ///
    /// - Parameters:
    ///   - certificate: The certificate to look at.
    ///   - issuer: The certificate of its issuer, for the rules that compare the two; those are left out where it is nil.
    public func deviations(of certificate: Certificate, issuer: Certificate? = nil) -> [CertificateDeviation] {
        var review = CertificateReview(profile: self, certificate: certificate, issuer: issuer)
        return review.run()
    }
}
