import CryptoCore
import Synchronization
import VerificationCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A verifier's trusted issuers, their document types, and the demands on them.
///
/// A class: each verification takes one along, and copying sets and policies one by one costs more than their checks.
final class IssuerTrust: Sendable {
    /// The demands on credentials; that on their status is the verifier's own.
    let policy: MdocVerificationPolicy
    private let chains: CertificatePathValidator
    private let purposes: AnchorPurposes

    init(_ anchors: [TrustAnchor], _ policy: MdocVerificationPolicy, _ cache: CertificateChainCache?) {
        self.policy = policy
        purposes = AnchorPurposes(anchors)
        chains = CertificatePathValidator(
            anchors: anchors.map(\.certificate),
            policy: Self.pathPolicy(policy.certificateTolerances),
            cache: cache
        )
    }

    /// Validates an issuer's chain, leaf first.
    func validate(_ encodedChain: [ArraySlice<UInt8>], at time: Date) -> Verification<ValidatedCertificateChain> {
        chains.validate(encodedChain: encodedChain, at: time)
    }

    /// The trust anchors that may have issued a certificate.
    func anchors(above certificate: Certificate) -> [Certificate] { chains.anchors(above: certificate) }

    /// The first entry of the configuration that trusts a certificate for documents of a type.
    func anchor(for docType: DocType, _ certificate: Certificate) -> TrustAnchor? {
        purposes.anchor(for: docType, certificate)
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
        policy.tolerate(tolerances)
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

/// The issuers of a source that may change between two verifications.
final class LiveIssuerTrust: Sendable {
    private let source: any TrustedIssuerSource
    private let policy: MdocVerificationPolicy
    private let chains: CertificateChainCache?
    private let kept = Mutex<(selection: TrustedIssuerSelection, trust: IssuerTrust)?>(nil)

    init(_ source: any TrustedIssuerSource, _ policy: MdocVerificationPolicy, _ chains: CertificateChainCache?) {
        self.source = source
        self.policy = policy
        self.chains = chains
    }

    func trust(at time: Date) -> IssuerTrust {
        let revision = source.revision
        if let kept = kept.withLock({ $0 }), kept.selection.holds(for: revision, at: time) { return kept.trust }
        let selection = source.trustedIssuers(at: time)
        let trust = IssuerTrust(selection.anchors, policy, chains)
        kept.withLock { $0 = (selection, trust) }
        return trust
    }
}
