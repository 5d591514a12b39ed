import CryptoCore

/// The authorities of a configuration, found by their certificates.
struct ReaderAuthorities: Sendable {
    private let entries: [Certificate: [ReaderAuthority]]

    /// The certificates that chains may end at.
    let anchors: [Certificate]
    /// The certificates that chains may lead through, though readers do not send them.
    let intermediates: [Certificate]

    /// Takes authorities.
    ///
    /// - Parameter highestAnchorsOnly: `true` for chains that end at the highest anchor (F.3.2.6): an anchor below another
    ///   one is then an intermediate. `false` for chains that end at any of them.
    init(_ authorities: [ReaderAuthority], highestAnchorsOnly: Bool) {
        entries = Dictionary(grouping: authorities, by: \.certificate)
        var named: Set<Certificate> = []
        let certificates = authorities.map(\.certificate).filter { named.insert($0).inserted }
        let trusted = Set(authorities.filter(\.isTrustAnchor).map(\.certificate))
        var ends = certificates.filter(trusted.contains)
        if highestAnchorsOnly {
            var hierarchy = AuthorityHierarchy(certificates)
            ends = hierarchy.highest(of: ends)
        }
        anchors = ends
        let known = Set(ends)
        intermediates = certificates.filter { !known.contains($0) }
    }

    /// The refused entry of an authority by which a reader would be trusted: the lowest that is known, or the anchor.
    func refusal(above chain: ValidatedCertificateChain) -> ReaderAuthority? {
        lowest(above: chain).first(where: \.isRefused) ?? entries[chain.anchor]?.first(where: \.isRefused)
    }

    /// The entries of the lowest authority above a reader that is known: its constraints count and no other's (F.3.2.6).
    func lowest(above chain: ValidatedCertificateChain) -> [ReaderAuthority] {
        for certificate in chain.certificates.dropFirst() {
            if let found = entries[certificate] { return found }
        }
        return entries[chain.anchor] ?? []
    }
}

/// The order of authorities: which of them issued which.
private struct AuthorityHierarchy {
    /// Finds authorities by name and key identifier.
    private let authorities: CertificatePathValidator
    /// The issuers that were looked for already.
    private var known: [Certificate: [Certificate]] = [:]

    /// The largest number of issuers that are tried for one certificate, where authorities share a name.
    private static let maximumIssuers = 16

    init(_ certificates: [Certificate]) {
        authorities = CertificatePathValidator(anchors: certificates, policy: .mdocReader)
    }

    /// The anchors that have no other one above them.
    ///
    /// Of anchors that issued certificates for each other, none is above the other.
    mutating func highest(of anchors: [Certificate]) -> [Certificate] {
        let all = Set(anchors)
        var above: [Certificate: Set<Certificate>] = [:]
        for anchor in anchors { above[anchor] = authorities(above: anchor).intersection(all) }
        return anchors.filter { anchor in
            above[anchor]?.allSatisfy { above[$0]?.contains(anchor) ?? false } ?? true
        }
    }

    /// All authorities above a certificate; each is looked at once.
    private mutating func authorities(above certificate: Certificate) -> Set<Certificate> {
        var found: Set<Certificate> = []
        var open = [certificate]
        while let next = open.popLast() {
            for issuer in issuers(of: next) where found.insert(issuer).inserted { open.append(issuer) }
        }
        return found
    }

    /// The authorities that signed a certificate; none for one that names itself as its issuer.
    private mutating func issuers(of certificate: Certificate) -> [Certificate] {
        if let issuers = known[certificate] { return issuers }
        let isSelfIssued = certificate.subject == certificate.issuer
        let candidates = isSelfIssued ? [] : authorities.anchors(above: certificate).prefix(Self.maximumIssuers)
        let issuers = candidates.filter { certificate.isSigned(byKeyOf: $0) }
        known[certificate] = issuers
        return issuers
    }
}

extension Certificate {
    /// Returns `true` if a certificate's key signed this one.
    func isSigned(byKeyOf issuer: Certificate) -> Bool {
        (try? issuer.publicKey()).map(isSigned) ?? false
    }
}
