/// The context of a cached chain's validation: one object per validator, so that most comparisons are of two
/// references.
final class CertificateChainContext: Sendable, Equatable {
    private let anchors: Set<Certificate>
    private let policy: CertificatePathPolicy

    init(anchors: [Certificate], policy: CertificatePathPolicy) {
        self.anchors = Set(anchors)
        self.policy = policy
    }

    static func == (left: CertificateChainContext, right: CertificateChainContext) -> Bool {
        left === right || (left.anchors == right.anchors && left.policy == right.policy)
    }
}
