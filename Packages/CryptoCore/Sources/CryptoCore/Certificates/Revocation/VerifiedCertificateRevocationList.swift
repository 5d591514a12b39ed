#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A revocation list whose issuer and signature were verified.
///
/// Only ``CertificateRevocationList/verify(issuer:)`` makes one.
public struct VerifiedCertificateRevocationList: Sendable {
    /// The list.
    public let list: CertificateRevocationList

    /// The certificate of the authority that issued it.
    public let issuer: Certificate

    let scope: IssuingDistributionPoint?

    /// What the list says about a certificate at a time.
    ///
    /// A list that names the certificate is heeded even when it is past its time; that it does not name it counts only
    /// from thisUpdate to nextUpdate, both included.
    public func status(of certificate: Certificate, at time: Date) -> CertificateRevocationStatus {
        guard certificate.issuer.matches(list.issuer), certificate.keyIdentifierFits(issuer) else {
            return .unknown(.noList)
        }
        guard covers(certificate) else { return .unknown(.notCovered) }
        if let entry = list.entry(for: certificate.serialNumber) { return .revoked(entry) }
        guard list.thisUpdate <= time else { return .unknown(.futureList) }
        guard let nextUpdate = list.nextUpdate, time <= nextUpdate else { return .unknown(.expiredList) }
        return .good
    }

    /// Whether the certificate is of the kind that the list is about (RFC 5280, 6.3.3 (b)(2)).
    private func covers(_ certificate: Certificate) -> Bool {
        guard let scope else { return true }
        let isAuthority = certificate.basicConstraints?.isCertificateAuthority == true
        if isAuthority ? scope.onlyUserCertificates : scope.onlyAuthorityCertificates { return false }
        guard scope.hasName else { return true }
        guard let names = scope.fullName else { return false }
        do throws(CryptoError) {
            let named = try certificate.crlDistributionPoints?.points.flatMap { $0.fullName?.names ?? [] } ?? []
            return !Set(names.names).isDisjoint(with: named)
        } catch {
            // Distribution points that cannot be read do not name this list.
            return false
        }
    }
}
