#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A revocation list whose issuer and signature were verified.
///
/// Only ``CertificateRevocationList/verify(issuer:at:)`` makes one.
public struct VerifiedCertificateRevocationList: Sendable {
    /// The list.
    public let list: CertificateRevocationList

    /// The certificate of the authority that issued it.
    public let issuer: Certificate

    let scope: IssuingDistributionPoint?

    /// The status of a certificate in the list at a time.
    ///
    /// A stale list can still revoke; only a current list, from thisUpdate to nextUpdate with both included, shows that
    /// a certificate is good.
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

    /// Returns `true` for a certificate of the kind that the list covers (RFC 5280, 6.3.3 (b)(2)).
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
            // Unreadable distribution points do not name this list.
            return false
        }
    }
}
