public import CryptoCore
import MdocKit

/// The findings about a certificate in a role.
public struct MdocCertificateReport: Hashable, Sendable {
    /// The role whose profile was applied.
    public let role: MdocCertificateRole
    /// The departures from the profile; empty for a certificate that keeps it.
    public let deviations: [CertificateDeviation]
    /// The recommendations of the standard that the certificate does not follow.
    public let advice: [MdocCertificateAdvice]

    /// Indicates whether the certificate keeps the profile, independent of the advice.
    public var isClean: Bool { deviations.isEmpty }
}
