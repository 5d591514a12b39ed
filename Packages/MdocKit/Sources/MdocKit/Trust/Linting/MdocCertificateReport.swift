public import CryptoCore

/// What was found about a certificate in a role.
public struct MdocCertificateReport: Hashable, Sendable {
    /// The role whose profile was applied.
    public let role: MdocCertificateRole
    /// The departures from the profile; empty for a certificate that keeps it.
    public let deviations: [CertificateDeviation]
    /// What the standard recommends and the certificate does not follow.
    public let advice: [MdocCertificateAdvice]

    /// Whether the certificate keeps the profile, whatever the advice.
    public var isClean: Bool { deviations.isEmpty }
}
