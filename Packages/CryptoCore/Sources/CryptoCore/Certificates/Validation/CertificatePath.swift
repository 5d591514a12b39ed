/// A path from a leaf to an anchor, to be checked.
struct CertificatePath: Sendable {
    /// A certificate with its place, as failures name it.
    struct Member: Sendable {
        let index: Int
        let position: CertificatePathFailure.Position
        let certificate: Certificate
    }

    /// The certificate whose key the path vouches for.
    let leaf: Member
    /// The certificates above the leaf, the anchor last; none where the leaf is the anchor.
    let issuers: [Member]

    init(leaf: Certificate, intermediates: some Collection<Certificate>, anchor: Certificate) {
        self.leaf = Member(index: 0, position: .chain(0), certificate: leaf)
        let above = intermediates.enumerated().map { index, certificate in
            Member(index: index + 1, position: .chain(index + 1), certificate: certificate)
        }
        issuers = above + [Member(index: above.count + 1, position: .anchor, certificate: anchor)]
    }

    /// A leaf that is itself the anchor.
    init(trustedLeaf: Certificate) {
        leaf = Member(index: 0, position: .anchor, certificate: trustedLeaf)
        issuers = []
    }

    var anchor: Member { issuers.last ?? leaf }

    /// All certificates, leaf first.
    var members: [Member] { [leaf] + issuers }

    /// Each certificate with its issuer, from the leaf up.
    var links: Zip2Sequence<[Member], [Member]> { zip(members, issuers) }
}
