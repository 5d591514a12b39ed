#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Limits for the cost of a certificate.
public struct CertificateLimits: Hashable, Sendable {
    /// The largest encoding in bytes.
    ///
    /// Certificates for mdocs and requests take 400 to 2000.
    public var maximumSize: Int

    /// The largest number of extensions.
    public var maximumExtensionCount: Int

    /// Sets the limits.
    public init(maximumSize: Int = 16 * 1024, maximumExtensionCount: Int = 64) {
        self.maximumSize = maximumSize
        self.maximumExtensionCount = maximumExtensionCount
    }

    /// 16 KiB and 64 extensions.
    public static let `default` = CertificateLimits()
}

/// Ways in which a certificate's encoding departs from RFC 5280 without becoming ambiguous.
///
/// Certificates with them are in use and listed in trust lists, so they are read, and the deviations are recorded. A
/// ``CertificateProfile`` turns each of them into a ``CertificateDeviation``.
public struct CertificateEncodingDeviations: OptionSet, Hashable, Sendable {
    /// The bits of the set.
    public let rawValue: UInt8

    /// Takes the bits of a set.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The serial number is zero or negative (4.1.2.2).
    public static let nonPositiveSerialNumber = CertificateEncodingDeviations(rawValue: 1 << 0)
    /// The serial number has more than 20 octets (4.1.2.2).
    public static let longSerialNumber = CertificateEncodingDeviations(rawValue: 1 << 1)
    /// A value is written out that DER leaves out because it is the default: critical FALSE or cA FALSE (X.690, 11.5).
    public static let explicitDefault = CertificateEncodingDeviations(rawValue: 1 << 2)
    /// A date through 2049 is a GeneralizedTime (4.1.2.5).
    public static let wrongTimeForm = CertificateEncodingDeviations(rawValue: 1 << 3)
    /// A pathLenConstraint in an end entity's certificate, where it has no meaning (4.2.1.9).
    public static let idlePathLength = CertificateEncodingDeviations(rawValue: 1 << 4)
    /// cA is TRUE by an octet other than FF, as BER has it (X.690, 11.1).
    public static let looseBoolean = CertificateEncodingDeviations(rawValue: 1 << 5)
}

/// The indexed fields of a certificate's encoding: their ranges, and the values that every check needs.
struct CertificateFields: Sendable {
    /// TBSCertificate, tag and length included: what the signature covers.
    let tbsCertificate: Range<Int>
    /// 1, 2 or 3.
    let version: Int
    /// The contents octets of serialNumber.
    let serialNumber: Range<Int>
    /// The AlgorithmIdentifier of the signature, tag and length included.
    let signatureAlgorithm: Range<Int>
    /// The RDNSequences, tag and length included.
    let issuer: Range<Int>
    let subject: Range<Int>
    let notValidBefore: Date
    let notValidAfter: Date
    /// SubjectPublicKeyInfo, tag and length included.
    let subjectPublicKeyInfo: Range<Int>
    /// The octets of the BIT STRING in it.
    let subjectPublicKey: Range<Int>
    /// The octets of signatureValue.
    let signature: Range<Int>

    let extensions: [ExtensionEntry]
    let known: KnownExtensions
    let deviations: CertificateEncodingDeviations

    /// The extensions that a path validation always looks at, read together with the certificate.
    struct KnownExtensions: Sendable {
        var basicConstraints: BasicConstraints?
        var keyUsage: KeyUsage?
        var extendedKeyUsage: ExtendedKeyUsage?
        var subjectKeyIdentifier: Range<Int>?
        var authorityKeyIdentifier: AuthorityKeyIdentifier?
    }
}
