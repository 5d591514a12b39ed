public import CryptoCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension RICAL {
    /// Verifies the list: every check of F.3.2.5, with its outcome.
    ///
    /// - Parameters:
    ///   - anchors: The provider's root certificates, from elsewhere than the list.
    ///   - time: The time at which the list is to be used.
    ///   - lastID: The ``id`` of the provider's list that was accepted last; a lower one is refused, and a list without
    ///     one. Nil where none was accepted yet.
    ///   - types: The types of lists whose rules the caller keeps.
    ///   - policy: The demands beyond that.
    public func verify(
        anchors: [Certificate],
        at time: Date,
        lastID: UInt64? = nil,
        types: Set<String> = [RICAL.readerAuthentication],
        policy: TrustListPolicy = .rical
    ) -> TrustListVerification<VerifiedRICAL> {
        var checks = TrustListChecks(envelope, anchors: anchors, policy: policy, time: time)
        checks.run(date: date, notAfter: notAfter, nextUpdate: nextUpdate)
        checks.checkType(type, among: types)
        checks.checkIssueID(id, last: lastID)
        return checks.conclude { signer, freshness in
            VerifiedRICAL(list: self, signer: signer, freshness: freshness)
        }
    }
}
