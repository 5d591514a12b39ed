public import CryptoCore
public import MdocKit

/// A VICAL whose signature and times are in order; only ``VICAL/verify(anchors:at:lastIssueID:lastDate:policy:)`` makes one.
public struct VerifiedVICAL: Sendable {
    /// The list.
    public let list: VICAL
    /// The provider's certificate chain with the root behind it.
    public let signer: ValidatedCertificateChain
    /// Indicates that the provider has announced a newer list for a time that has passed.
    public let freshness: TrustListFreshness

    /// The certificates that the list vouches for, each only for the document types that it lists.
    ///
    /// A certificate with several entries is one anchor for all its document types. An entry whose profiles are all those
    /// of other roles makes no anchor: document signers, JWS signers, readers, and signers of VICALs. One without a profile,
    /// or with an unknown one, does.
    public var trustAnchors: [TrustAnchor] {
        var order: [Certificate] = []
        var docTypes: [Certificate: Set<DocType>] = [:]
        for info in list.certificateInfos where info.isForIssuingAuthority {
            if docTypes[info.certificate] == nil { order.append(info.certificate) }
            docTypes[info.certificate, default: []].formUnion(info.docTypes)
        }
        return order.map { TrustAnchor($0, docTypes: docTypes[$0]) }
    }
}

extension VICAL.CertificateInfo {
    /// The arcs of certificates that sign, read or list, and issue no others (Annex B and C.1.7.2).
    private static let otherRoles: Set<String> = Set(
        [
            "18013.5.1.2", "18013.5.1.3", "18013.5.1.6", "18013.5.1.8", "23220.4.1.2", "23220.4.1.6", "23220.4.1.8",
        ].map { "urn:oid:1.0.\($0)" }
    )

    /// Indicates that the certificate may be an issuing authority's: it has no profile, or one that is not known to be
    /// for another role (C.1.7.1).
    var isForIssuingAuthority: Bool {
        certificateProfiles.isEmpty || !certificateProfiles.allSatisfy { Self.otherRoles.contains($0.lowercased()) }
    }
}
