public import CryptoCore
public import MdocKit
public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension RICAL {
    /// The checks of a list, in their order.
    public static let checks: [Check] = [
        .signerCertificate, .issuerSignature, .issuedAt, .validity, .freshness, .type, .issueID,
    ]

    /// Verifies the list: every check of F.3.2.5, with its outcome.
    ///
    /// - Parameters:
    ///   - anchors: The provider's root certificates, from elsewhere than the list.
    ///   - time: The time at which the list is to be used.
    ///   - lastID: The ``id`` of the provider's list that was accepted last; a lower one is refused, and a list without
    ///     one. Nil where none was accepted yet, or it had none.
    ///   - lastDate: The ``date`` of that list; an earlier one is refused where the numbers are equal or missing. Nil
    ///     where none was accepted yet.
    ///   - types: The types of lists whose rules the caller keeps.
    ///   - policy: The demands beyond that.
    public func verify(
        anchors: [Certificate],
        at time: Date,
        lastID: UInt64? = nil,
        lastDate: Date? = nil,
        types: Set<String> = [RICAL.readerAuthentication],
        policy: TrustListPolicy = .rical
    ) -> Verification<VerifiedRICAL> {
        let checks = TrustListChecks(envelope, anchors: anchors, policy: policy, time: time)
        let freshness = TrustListFreshness(nextUpdate: nextUpdate, at: time)
        var checklist = Checklist(Self.checks, at: time)
        checks.run(&checklist, date: date, notAfter: notAfter, freshness)
        checks.checkType(type, among: types, &checklist)
        checks.checkIssue((id, date), last: (lastID, lastDate), &checklist)
        for deviation in deviations { checklist.add(Deviation(deviation)) }
        for deviation in checks.signer?.deviations(at: ["x5chain"]) ?? [] { checklist.add(deviation) }
        return checklist.verification(
            of: checks.signer.map { VerifiedRICAL(list: self, signer: $0, freshness: freshness) }
        )
    }
}

/// A RICAL whose signature and times are in order; only ``RICAL/verify(anchors:at:lastID:lastDate:types:policy:)`` makes one.
public struct VerifiedRICAL: Sendable {
    /// The list.
    public let list: RICAL
    /// The provider's certificate chain with the root behind it.
    public let signer: ValidatedCertificateChain
    /// Indicates that the provider has announced a newer list for a time that has passed.
    public let freshness: TrustListFreshness

    /// The authorities that the list vouches for, with their names and constraints, for a
    /// `ReaderAuthenticationVerifier`.
    ///
    /// The entries of every ``RICAL/CertificateInfo/type`` are among them: the standard defines no type, and makes nothing
    /// depend on it (F.3.2.6). An ecosystem that does restricts readers by `trustConstraints`, or by entries of a caller's
    /// choice from ``RICAL/certificateInfos``.
    ///
    /// The authorities of ``RICAL/unreadableEntries`` come last, as refused ones: such an entry may have had
    /// constraints, without which the authority would be trusted through another above it.
    public var readerAuthorities: [ReaderAuthority] {
        let readable = list.certificateInfos.map { info in
            ReaderAuthority(
                info.certificate,
                name: info.name,
                isTrustAnchor: info.isTrustAnchor,
                trustConstraints: info.trustConstraints
            )
        }
        return readable + list.unreadableEntries.compactMap(\.certificate).map { ReaderAuthority(refusing: $0) }
    }
}
