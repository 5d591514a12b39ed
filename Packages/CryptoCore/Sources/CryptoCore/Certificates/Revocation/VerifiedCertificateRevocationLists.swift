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

    /// What the lists of an issuer say about a certificate at a time.
    ///
    /// One list that names the certificate is enough for ``CertificateRevocationStatus/revoked(_:)``; else one current
    /// list that covers it is enough for ``CertificateRevocationStatus/good``; else the newest list says why not.
    /// - Parameters:
    ///   - certificate: The certificate to look up.
    ///   - issuer: The certificate of its issuer.
    ///   - time: The time at which the status is asked for.
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
