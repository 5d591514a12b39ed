#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What a standard demands of the certificates of one role, as data.
///
/// The known profiles are static members; own ones are made by changing a copy. ``deviations(of:issuer:)`` compares a
/// certificate with a profile; whether a departure refuses the certificate is up to the caller, for instance by
/// ``CertificatePathPolicy/toleratedDeviations``.
public struct CertificateProfile: Hashable, Sendable {
    /// What basicConstraints must say.
    public enum Authority: Hashable, Sendable {
        /// A certificate authority; with a number, exactly that path length.
        case certificateAuthority(pathLength: Int?)
        /// No certificate authority: basicConstraints is absent or says so.
        case endEntity
    }

    /// What errors and reports call the profile.
    public var name: String

    /// The longest validity period in seconds, or nil.
    public var maximumValidity: TimeInterval?

    /// How many octets the serial number has at least; 8 are what 63 random bits take.
    public var minimumSerialNumberSize = 1

    /// The attributes that the subject must have.
    public var subjectAttributes: Set<OID> = []

    /// Whether countryName, where it is there, must be two upper-case letters in a PrintableString.
    public var requiresUpperCaseCountry = false

    /// Whether countryName, where it is there, must be a code that ISO 3166-1 assigns to a country.
    public var requiresAssignedCountry = false

    /// Whether text in names must be a PrintableString or UTF8String, and a subject's serialNumber a PrintableString.
    public var requiresModernStrings = false

    /// The attributes of the subject that must be UTF8Strings where they are there.
    public var utf8Attributes: Set<OID> = []

    /// Whether subject and issuer must have the same countryName, and the same stateOrProvinceName where the issuer has
    /// one.
    public var requiresIssuersCountry = false

    /// Whether the issuer's name must be, byte by byte, the issuer's subject; of a root its own subject.
    public var requiresSameNameBytes = false

    /// Whether the signature must be one by the issuer's key; of a root by its own.
    ///
    /// Off in the known profiles: path validation checks signatures by itself.
    public var requiresIssuersSignature = false

    /// The curves that the key may be on, or nil for any key, RSA keys too.
    public var curves: Set<EllipticCurve>?

    /// The algorithms that the certificate may be signed with, or nil for all but those over SHA-1.
    public var signatureAlgorithms: Set<SignatureAlgorithm>?

    /// What basicConstraints must say.
    public var authority = Authority.endEntity

    /// The exact contents that keyUsage may have; empty for any.
    public var keyUsages: Set<KeyUsage> = []

    /// The purposes of which extKeyUsage must name one; nil for no demand.
    ///
    /// A certificate without extKeyUsage names none, and is refused where ``requiredExtensions`` has the extension. With an
    /// empty set, a certificate that is limited to purposes is limited to others: it departs from the profile.
    /// ``OID/anyExtendedKeyUsage`` stands for no other purpose.
    public var purposes: Set<OID>?

    /// The extensions that must be there.
    public var requiredExtensions: Set<OID> = []

    /// The extensions that must be critical where they are there.
    public var criticalExtensions: Set<OID> = []

    /// The extensions that may be critical or not where they are there.
    public var optionallyCriticalExtensions: Set<OID> = []

    /// Whether no other extension than ``criticalExtensions`` and ``optionallyCriticalExtensions`` may be critical.
    public var forbidsOtherCriticalExtensions = false

    /// The extensions that must not be there.
    public var forbiddenExtensions: Set<OID> = []

    /// Whether subjectKeyIdentifier must be the SHA-1 digest of the key's bits.
    public var requiresSHA1KeyIdentifier = false

    /// Whether issuerAltName, where it is there, must have an e-mail address or a URI.
    public var requiresContact = false

    /// Whether a distribution point must have a URI, and every one must have a name, be for all reasons and for the
    /// issuer's own list.
    public var requiresPlainDistributionPoints = false

    /// A profile that demands version 3, a positive serial number of at most 20 octets, exact DER, no unknown critical
    /// extension, and an end entity.
    public init(name: String) {
        self.name = name
    }

    /// Every departure of a certificate from this profile, in a fixed order; empty where it keeps the profile.
    ///
    /// - Parameters:
    ///   - certificate: The certificate to look at.
    ///   - issuer: The certificate of its issuer, for the rules that compare the two; those are left out where it is nil.
    public func deviations(of certificate: Certificate, issuer: Certificate? = nil) -> [CertificateDeviation] {
        var review = CertificateReview(profile: self, certificate: certificate, issuer: issuer)
        return review.run()
    }
}
