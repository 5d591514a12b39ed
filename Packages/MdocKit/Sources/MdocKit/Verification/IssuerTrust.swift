import CryptoCore
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A verifier's trusted issuers, their document types, and the demands on them.
struct IssuerTrust: Sendable {
    var policy: MdocVerificationPolicy
    let chains: CertificatePathValidator
    let purposes: AnchorPurposes

    init(_ anchors: [TrustAnchor], _ policy: MdocVerificationPolicy, _ cache: CertificateChainCache?) {
        self.policy = policy
        purposes = AnchorPurposes(anchors)
        chains = CertificatePathValidator(
            anchors: anchors.map(\.certificate),
            policy: Self.pathPolicy(policy.certificateTolerances),
            cache: cache
        )
    }

    /// The demands on the chain.
    ///
    /// An anchor is trusted as it is; country and state have a separate check. Deviations that this policy passes by
    /// their kind are judged one by one in `SignerAssessment`.
    private static func pathPolicy(_ tolerances: Set<CertificateTolerance>) -> CertificatePathPolicy {
        var policy = CertificatePathPolicy.mdocDocumentSigner
        policy.anchorProfile = nil
        policy.leafKeyUsage = .digitalSignature
        policy.toleratedDeviations = SignerAssessment.alwaysTolerated
        for tolerance in tolerances { policy.toleratedDeviations.formUnion(tolerance.toleratedKinds) }
        if tolerances.contains(.issuerNameSpelling) { policy.nameComparison = .rfc5280 }
        return policy
    }
}

/// The source of a verifier's trusted issuers.
enum IssuerTrustSource: Sendable {
    /// The same issuers for the verifier's life.
    case fixed(IssuerTrust)
    /// Issuers that change while the verifier is used.
    case live(LiveIssuerTrust)

    /// The issuers that are trusted at a time.
    func trust(at time: Date) -> IssuerTrust {
        switch self {
        case .fixed(let trust): trust
        case .live(let live): live.trust(at: time)
        }
    }
}

/// The issuers of a list that may change between two verifications.
final class LiveIssuerTrust: Sendable {
    private let issuers: TrustedIssuers
    private let policy: MdocVerificationPolicy
    private let chains: CertificateChainCache?
    private let kept = Mutex<Kept?>(nil)

    /// The trust made of a revision, and the times for which it stays the same.
    private struct Kept {
        let revision: UInt64
        let trust: IssuerTrust
        /// The latest end of a list that is left out; nil if none is.
        let after: Date?
        /// The earliest end of a list that is used; nil if none ends.
        let until: Date?

        func holds(for revision: UInt64, at time: Date) -> Bool {
            self.revision == revision && after.map { time > $0 } ?? true && until.map { time <= $0 } ?? true
        }
    }

    init(_ issuers: TrustedIssuers, _ policy: MdocVerificationPolicy, _ chains: CertificateChainCache?) {
        self.issuers = issuers
        self.policy = policy
        self.chains = chains
    }

    func trust(at time: Date) -> IssuerTrust {
        let revision = issuers.revision
        if let kept = kept.withLock({ $0 }), kept.holds(for: revision, at: time) { return kept.trust }
        let (entries, latest) = issuers.revised()
        let ofIssuers = entries.filter { $0.purpose == .issuing }
        let usable = ofIssuers.filter { $0.isUsable(at: time) }
        let made = Kept(
            revision: latest,
            trust: IssuerTrust(usable.map(\.anchor), policy, chains),
            after: ofIssuers.filter { !$0.isUsable(at: time) }.compactMap { $0.list?.notAfter }.max(),
            until: usable.compactMap { $0.list?.notAfter }.min()
        )
        kept.withLock { $0 = made }
        return made.trust
    }
}
