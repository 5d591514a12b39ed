/// Ways in which a certificate's encoding departs from RFC 5280 without becoming ambiguous.
///
/// Certificates with them are in use and listed in trust lists, so they are read, and what was met is recorded. A
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
