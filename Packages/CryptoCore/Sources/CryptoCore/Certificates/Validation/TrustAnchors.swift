/// The configured anchors, found by the name that a certificate gives for its issuer.
struct TrustAnchors: Sendable {
    let certificates: [Certificate]
    private let bySubject: [DistinguishedName: [Int]]
    private let byNormalizedSubject: [[NormalizedRelativeName]: [Int]]

    init(_ certificates: [Certificate]) {
        self.certificates = certificates
        bySubject = Dictionary(grouping: certificates.indices) { certificates[$0].subject }
        byNormalizedSubject = Dictionary(grouping: certificates.indices) { certificates[$0].subject.normalized }
    }

    /// The anchors that may have issued a certificate: the issuer's name, and no key identifier that says otherwise.
    ///
    /// Those with the very key identifier come first.
    func candidates(for certificate: Certificate, comparison: CertificatePathPolicy.NameComparison) -> [Certificate] {
        let named = sameSubject(as: certificate.issuer, comparison).map { certificates[$0] }
        let fitting = named.filter { $0 != certificate && certificate.keyIdentifierFits($0) }
        guard fitting.count > 1, let wanted = certificate.authorityKeyIdentifier?.keyIdentifier else { return fitting }
        return fitting.filter { $0.subjectKeyIdentifier == wanted }
            + fitting.filter { $0.subjectKeyIdentifier != wanted }
    }

    /// Returns `true` if some anchor has the name, whatever its key.
    func hasSubject(_ name: DistinguishedName, _ comparison: CertificatePathPolicy.NameComparison) -> Bool {
        !sameSubject(as: name, comparison).isEmpty
    }

    private func sameSubject(
        as name: DistinguishedName,
        _ comparison: CertificatePathPolicy.NameComparison
    ) -> [Int] {
        if let found = bySubject[name] { return found }
        guard comparison == .rfc5280, !certificates.isEmpty else { return [] }
        return byNormalizedSubject[name.normalized] ?? []
    }
}

extension Certificate {
    /// Returns `true` unless an authority key identifier contradicts that this issuer signed (RFC 5280, 4.2.1.1).
    func keyIdentifierFits(_ issuer: Certificate) -> Bool {
        guard let authority = authorityKeyIdentifier else { return true }
        if let wanted = authority.keyIdentifier, let actual = issuer.subjectKeyIdentifier, wanted != actual {
            return false
        }
        guard let serialNumber = authority.authorityCertificateSerialNumber,
            let names = authority.authorityCertificateIssuer
        else { return true }
        let directoryNames = names.directoryNames
        return serialNumber == issuer.serialNumber
            && (directoryNames.isEmpty || directoryNames.contains { $0.matches(issuer.issuer) })
    }
}
