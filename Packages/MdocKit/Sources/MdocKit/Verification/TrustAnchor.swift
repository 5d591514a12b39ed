public import CryptoCore

/// A certificate of an issuing authority that a reader trusts, by configuration or by a trust list.
public struct TrustAnchor: Hashable, Sendable {
    /// The certificate of the issuing authority (IACA).
    public let certificate: Certificate
    /// The document types that it is trusted for; nil for all.
    public let docTypes: Set<DocType>?

    /// Trusts a certificate.
    ///
    /// - Parameters:
    ///   - certificate: The certificate of the issuing authority.
    ///   - docTypes: The document types that it is trusted for, such as those that a VICAL lists; nil for all.
    public init(_ certificate: Certificate, docTypes: Set<DocType>? = nil) {
        self.certificate = certificate
        self.docTypes = docTypes
    }
}

/// The document types that each trusted certificate stands for.
struct AnchorPurposes: Sendable {
    private var docTypes: [Certificate: Set<DocType>?] = [:]

    /// Joins what several entries say about one certificate.
    init(_ anchors: [TrustAnchor]) {
        for anchor in anchors {
            guard let known = docTypes[anchor.certificate] else {
                docTypes[anchor.certificate] = .some(anchor.docTypes)
                continue
            }
            guard let known, let more = anchor.docTypes else {
                docTypes[anchor.certificate] = .some(nil)
                continue
            }
            docTypes[anchor.certificate] = known.union(more)
        }
    }

    /// Whether a certificate is trusted for documents of a type.
    func include(_ docType: DocType, for certificate: Certificate) -> Bool {
        guard let docTypes = docTypes[certificate] else { return false }
        return docTypes?.contains(docType) ?? true
    }
}
