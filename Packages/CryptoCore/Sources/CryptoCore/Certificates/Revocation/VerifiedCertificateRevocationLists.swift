#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Verified revocation lists of several authorities, to look certificates and chains up in.
public struct VerifiedCertificateRevocationLists: Sendable {
    private let lists: [DistinguishedName: [VerifiedCertificateRevocationList]]

    /// Takes lists; of one authority there may be several, such as one per distribution point.
    public init(_ lists: [VerifiedCertificateRevocationList]) {
        self.lists = Dictionary(grouping: lists, by: \.issuer.subject)
    }

    /// The status of a certificate in the lists of an issuer at a time.
    ///
    /// One list that names the certificate suffices for ``CertificateRevocationStatus/revoked(_:)``. Otherwise one
    /// current list that covers it suffices for ``CertificateRevocationStatus/good``. Otherwise the newest list gives
    /// the reason of the unknown status.
    /// - Parameters:
    ///   - certificate: The certificate to look up.
    ///   - issuer: The certificate of its issuer.
    ///   - time: The time of the status.
    public func status(
        of certificate: Certificate,
        issuer: Certificate,
        at time: Date
    ) -> CertificateRevocationStatus {
        let own = (lists[issuer.subject] ?? []).filter { $0.issuer.subjectPublicKeyInfo == issuer.subjectPublicKeyInfo }
        let statuses = own.sorted { $0.list.thisUpdate > $1.list.thisUpdate }.map {
            $0.status(of: certificate, at: time)
        }
        let revoked = statuses.first { if case .revoked = $0 { true } else { false } }
        return revoked ?? statuses.first { $0 == .good } ?? statuses.first ?? .unknown(.noList)
    }

    /// The status of every certificate of a chain at a time, leaf first; the anchor is not asked for.
    public func statuses(of chain: ValidatedCertificateChain, at time: Date) -> [CertificateRevocationStatus] {
        let issuers = chain.certificates.dropFirst() + [chain.anchor]
        return zip(chain.certificates, issuers).map { status(of: $0, issuer: $1, at: time) }
    }
}
