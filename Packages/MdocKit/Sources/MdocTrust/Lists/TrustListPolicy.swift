public import CryptoCore
import MdocKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The demands on a trust list and its signer.
public struct TrustListPolicy: Hashable, Sendable {
    /// The demands on the signer's certificate chain.
    public var signer: CertificatePathPolicy
    /// Indicates whether a list past its `nextUpdate` is refused; otherwise it is accepted as overdue, see
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
