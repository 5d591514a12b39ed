/// A path from a leaf to an anchor, to be checked.
struct CertificatePath: Sendable {
    /// A certificate with its place.
    struct Member: Sendable {
        let index: Int
        let isAnchor: Bool
        let certificate: Certificate

        /// The name of its place in the path of a refusal.
        var name: String { isAnchor ? CertificatePathValidator.anchorName : CertificatePath.name(at: index) }
    }

    /// The name of a certificate of the given chain in the path of a refusal.
    static func name(at index: Int) -> String { "certificates[\(index)]" }

    /// The certificate whose key the path vouches for.
    let leaf: Member
    /// All certificates, leaf first.
    let members: [Member]

    init(leaf: Certificate, intermediates: some Collection<Certificate>, anchor: Certificate) {
        self.leaf = Member(index: 0, isAnchor: false, certificate: leaf)
        var members = [self.leaf]
        members.reserveCapacity(intermediates.count + 2)
        for certificate in intermediates {
            members.append(Member(index: members.count, isAnchor: false, certificate: certificate))
        }
        members.append(Member(index: members.count, isAnchor: true, certificate: anchor))
        self.members = members
    }

    /// A leaf that is itself the anchor.
    init(trustedLeaf: Certificate) {
        leaf = Member(index: 0, isAnchor: true, certificate: trustedLeaf)
        members = [leaf]
    }

    /// The certificates above the leaf, the anchor last; none if the leaf is the anchor.
    var issuers: ArraySlice<Member> { members.dropFirst() }

    var anchor: Member { members.last ?? leaf }

    /// Each certificate with its issuer, from the leaf up.
    var links: Zip2Sequence<[Member], ArraySlice<Member>> { zip(members, issuers) }
}

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
