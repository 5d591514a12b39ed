public import CryptoCore
import MdocKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The findings about a certificate in a role.
public struct MdocCertificateReport: Hashable, Sendable {
    /// The role whose profile was applied.
    public let role: MdocCertificateRole
    /// The departures from the profile; empty for a certificate that keeps it.
    public let deviations: [CertificateDeviation]
    /// The recommendations of the standard that the certificate does not follow.
    public let advice: [MdocCertificateAdvice]

    /// Indicates that the certificate keeps the profile, independent of the advice.
    public var isClean: Bool { deviations.isEmpty }
}

/// Something that ISO/IEC 18013-5 recommends and a certificate does not follow.
public enum MdocCertificateAdvice: Hashable, Sendable, CustomStringConvertible {
    /// The serial number is too short for the 71 random bits that are recommended (Annex B).
    case shortSerialNumber
    /// A root for more than 9 years is longer than driving licences need; 20 years are for other licences (B.1.2).
    case longRootValidity
    /// A root names a revocation list, which the second edition keeps for backward compatibility only (B.1.2).
    case distributionPointInRoot
    /// The extended key usage lacks the purpose of the arc 1.0.23220.4.1 (second edition).
    case missingMdocPurpose

    /// The advice in a sentence for people.
    public var description: String {
        switch self {
        case .shortSerialNumber: "the serial number should hold 71 random bits"
        case .longRootValidity: "a root that is for driving licences alone needs 9 years at most"
        case .distributionPointInRoot: "a root need not name a revocation list"
        case .missingMdocPurpose: "extKeyUsage should have the purpose of the arc 1.0.23220.4.1 too"
        }
    }

    /// All advice on a certificate.
    static func all(on certificate: Certificate, as role: MdocCertificateRole) -> [MdocCertificateAdvice] {
        var advice: [MdocCertificateAdvice] = []
        if certificate.serialNumber.count < 9 { advice.append(.shortSerialNumber) }
        if role == .iaca {
            // The most days that nine years have.
            let nineYears = (9 * 365 + 3) * 86_400.0
            let period = certificate.notValidAfter.timeIntervalSince(certificate.notValidBefore)
            if period > nineYears { advice.append(.longRootValidity) }
            if certificate.extension(.crlDistributionPoints) != nil { advice.append(.distributionPointInRoot) }
        }
        let recommended: Set<OID> =
            role.profile.purposes?.intersection([
                .mdocDocumentSigner, .mdocReaderAuthentication, .mdocVICALSigner,
            ]) ?? []
        if let usage = certificate.extendedKeyUsage, !recommended.isEmpty,
            recommended.isDisjoint(with: usage.purposes)
        {
            advice.append(.missingMdocPurpose)
        }
        return advice
    }
}
