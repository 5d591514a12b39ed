public import CryptoCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension VICAL {
    /// Verifies the list: every check of ISO/IEC 18013-5, C.1.8, with its outcome.
    ///
    /// - Parameters:
    ///   - anchors: The provider's root certificates, from elsewhere than the list.
    ///   - time: The time at which the list is to be used.
    ///   - lastIssueID: The ``issueID`` of the provider's list that was accepted last; a lower one is refused, and a list
    ///     without one. Nil where none was accepted yet.
    ///   - policy: The demands beyond that.
    public func verify(
        anchors: [Certificate],
        at time: Date,
        lastIssueID: UInt64? = nil,
        policy: TrustListPolicy = .vical
    ) -> TrustListVerification<VerifiedVICAL> {
        var checks = TrustListChecks(envelope, anchors: anchors, policy: policy, time: time)
        checks.run(date: date, notAfter: notAfter, nextUpdate: nextUpdate)
        checks.checkIssueID(issueID, last: lastIssueID)
        return checks.conclude { signer, freshness in
            VerifiedVICAL(list: self, signer: signer, freshness: freshness)
        }
    }
}
