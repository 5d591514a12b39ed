import CryptoCore
public import MdocKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension TrustedIssuers {
    /// Adds the issuing authorities of a VICAL, in place of those that an earlier list of its provider brought.
    ///
    /// Each is trusted for the document types that the list names, up to the list's `notAfter`. Entries of the
    /// configuration and of other providers stay.
    ///
    /// - Throws: `MdocError` with code `supersededList` for an earlier issue than the last, `listSignerMismatch` for a signer
    ///   below another trust anchor than that of the last, see ``forget(_:)``; `storageFailed` or `storageDamaged`.
    public func replace(with vical: VerifiedVICAL) throws(MdocError) {
        let list = TrustedIssuer.List(vical)
        var names: [Certificate: String] = [:]
        for info in vical.list.certificateInfos where names[info.certificate] == nil {
            names[info.certificate] = info.issuingAuthority
        }
        let entries = vical.trustAnchors.map { anchor in
            TrustedIssuer(
                TrustAnchor(anchor.certificate, id: list.identifier(of: anchor.id), docTypes: anchor.docTypes),
                name: names[anchor.certificate],
                origin: .list(list)
            )
        }
        try replaceEntries(of: list, with: entries)
    }

    /// Adds the authorities for readers of a RICAL, in place of those that an earlier list of its provider brought.
    ///
    /// They anchor readers, see ``readerAuthorities(at:)``, and no issuers.
    ///
    /// - Throws: `MdocError` with code `supersededList` for an earlier issue than the last, `listSignerMismatch` for a signer
    ///   below another trust anchor than that of the last, see ``forget(_:)``; `storageFailed` or `storageDamaged`.
    public func replace(with rical: VerifiedRICAL) throws(MdocError) {
        let list = TrustedIssuer.List(rical)
        let entries = rical.readerAuthorities.enumerated().map { index, authority in
            // One certificate may stand in a RICAL more than once, under other constraints.
            let id = list.identifier(of: "\(index)/\(authority.id)")
            return TrustedIssuer(authority.named(id), origin: .list(list))
        }
        try replaceEntries(of: list, with: entries)
    }

    /// The issue of the VICAL of a provider that was added last, for ``VICAL/verify(anchors:at:lastIssueID:lastDate:policy:)``.
    public func lastIssueID(ofVICAL provider: String) -> UInt64? {
        last(TrustedIssuer.List.vical, of: provider)?.issue
    }

    /// The id of the RICAL of a provider that was added last, for ``RICAL/verify(anchors:at:lastID:lastDate:types:policy:)``.
    public func lastID(ofRICAL provider: String) -> UInt64? {
        last(TrustedIssuer.List.rical, of: provider)?.issue
    }

    /// The date of the VICAL of a provider that was added last.
    public func lastDate(ofVICAL provider: String) -> Date? {
        last(TrustedIssuer.List.vical, of: provider)?.date
    }

    /// The date of the RICAL of a provider that was added last.
    public func lastDate(ofRICAL provider: String) -> Date? {
        last(TrustedIssuer.List.rical, of: provider)?.date
    }

    private func last(_ format: String, of provider: String) -> TrustedIssuer.List? {
        lists.first { ExactText($0.format) == ExactText(format) && ExactText($0.provider) == ExactText(provider) }
    }
}

extension ReaderAuthority {
    /// The same authority under another identifier.
    fileprivate func named(_ id: String) -> ReaderAuthority {
        isRefused
            ? ReaderAuthority(refusing: certificate, id: id, name: name)
            : ReaderAuthority(
                certificate,
                id: id,
                name: name,
                isTrustAnchor: isTrustAnchor,
                trustConstraints: trustConstraints
            )
    }
}

extension TrustedIssuer.List {
    /// The format of a VICAL.
    public static let vical = "VICAL"
    /// The format of a RICAL.
    public static let rical = "RICAL"

    /// Describes a VICAL that was verified, with the trust anchor of its signer.
    public init(_ vical: VerifiedVICAL) {
        self.init(vical.list, signer: vical.signer)
    }

    /// Describes a RICAL that was verified, with the trust anchor of its signer.
    public init(_ rical: VerifiedRICAL) {
        self.init(rical.list, signer: rical.signer)
    }

    /// Describes a VICAL.
    public init(_ list: VICAL) {
        self.init(list, signer: nil)
    }

    /// Describes a RICAL.
    public init(_ list: RICAL) {
        self.init(list, signer: nil)
    }

    private init(_ list: VICAL, signer: ValidatedCertificateChain?) {
        self.init(
            format: Self.vical,
            provider: list.provider,
            issue: list.issueID,
            date: list.date,
            nextUpdate: list.nextUpdate,
            notAfter: list.notAfter,
            url: list.url,
            anchorKeyDigest: signer.map(Self.keyDigest)
        )
    }

    private init(_ list: RICAL, signer: ValidatedCertificateChain?) {
        self.init(
            format: Self.rical,
            provider: list.provider,
            issue: list.id,
            date: list.date,
            nextUpdate: list.nextUpdate,
            notAfter: list.notAfter,
            url: list.latestURL,
            anchorKeyDigest: signer.map(Self.keyDigest)
        )
    }

    private static func keyDigest(_ signer: ValidatedCertificateChain) -> [UInt8] {
        HashAlgorithm.sha256.digest(of: signer.anchor.subjectPublicKeyInfo)
    }

    /// The identifier of an entry of the list, different from those of other lists and of the configuration.
    fileprivate func identifier(of entry: String) -> String { "\(format)/\(provider)/\(entry)" }
}
