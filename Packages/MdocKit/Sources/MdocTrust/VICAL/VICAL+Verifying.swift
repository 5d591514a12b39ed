public import CryptoCore
import MdocKit
public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension VICAL {
    /// The checks of a list, in their order.
    public static let checks: [Check] = [
        .signerCertificate, .issuerSignature, .issuedAt, .validity, .freshness, .issueID,
    ]

    /// Verifies the list: every check of ISO/IEC 18013-5, C.1.8, with its outcome.
    ///
    /// - Parameters:
    ///   - anchors: The provider's root certificates, from elsewhere than the list.
    ///   - time: The time at which the list is to be used.
    ///   - lastIssueID: The ``issueID`` of the provider's list that was accepted last; a lower one is refused, and a list
    ///     without one. Nil where none was accepted yet, or it had none.
    ///   - lastDate: The ``date`` of that list; an earlier one is refused where the numbers are equal or missing. Nil
    ///     where none was accepted yet.
    ///   - policy: The demands beyond that.
    public func verify(
        anchors: [Certificate],
        at time: Date,
        lastIssueID: UInt64? = nil,
        lastDate: Date? = nil,
        policy: TrustListPolicy = .vical
    ) -> Verification<VerifiedVICAL> {
        let checks = TrustListChecks(envelope, anchors: anchors, policy: policy, time: time)
        let freshness = TrustListFreshness(nextUpdate: nextUpdate, at: time)
        var checklist = Checklist(Self.checks, at: time)
        checks.run(&checklist, date: date, notAfter: notAfter, freshness)
        checks.checkIssue((issueID, date), last: (lastIssueID, lastDate), &checklist)
        for deviation in deviations { checklist.add(Deviation(deviation)) }
        for deviation in checks.signer?.deviations(at: ["x5chain"]) ?? [] { checklist.add(deviation) }
        return checklist.verification(
            of: checks.signer.map { VerifiedVICAL(list: self, signer: $0, freshness: freshness) }
        )
    }
}
