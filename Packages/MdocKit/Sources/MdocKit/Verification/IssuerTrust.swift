import CryptoCore

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
