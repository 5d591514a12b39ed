public import CryptoCore
import MdocKit
public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The demands on a trust list and its signer.
public struct TrustListPolicy: Hashable, Sendable {
    /// The demands on the signer's certificate chain.
    public var signer: CertificatePathPolicy
    /// Indicates that a list past its `nextUpdate` is refused; otherwise it is accepted as overdue, see
    /// ``TrustListFreshness/updateDue(since:)``.
    public var refusesOverdueLists = false
    /// The largest tolerated difference between the clocks of provider and verifier, in seconds: 180 by default, the
    /// accuracy that the standard demands of a provider's clock (C.1.6).
    public var clockSkew: TimeInterval = 180

    /// A policy with the defaults.
    public init(signer: CertificatePathPolicy) {
        self.signer = signer
    }

    /// The policy for a VICAL, with the profile of its signers (C.1.7.2).
    public static let vical = TrustListPolicy(signer: .vicalSigner)

    /// The policy for a RICAL, with the profile of its signers (second edition, F.3.5).
    public static let rical = TrustListPolicy(signer: .ricalSigner)
}

/// The freshness of a trust list: whether a newer issue is available.
public enum TrustListFreshness: Hashable, Sendable {
    /// The list does not say when the next one comes.
    case unknown
    /// The next one is expected at this time, in the future.
    case current(until: Date)
    /// The next one was expected at this time: fetch it. The list may be used until then if its `notAfter` allows it.
    case updateDue(since: Date)

    init(nextUpdate: Date?, at time: Date) {
        switch nextUpdate {
        case nil: self = .unknown
        case let date? where date < time: self = .updateDue(since: date)
        case let date?: self = .current(until: date)
        }
    }
}

// The checks of trust lists that no other format has.
extension Check {
    /// The list's `nextUpdate` has not passed; fails only where ``TrustListPolicy/refusesOverdueLists`` says so.
    public static let freshness: Check = "freshness"
    /// The list is not older than the one that was accepted last.
    public static let issueID: Check = "issueID"
}
