public import CryptoCore

/// A certificate of an issuing authority that a reader trusts, by configuration or by a trust list.
public struct TrustAnchor: Hashable, Sendable, Identifiable {
    /// What the entry is called: a name of the caller's choice, or the SHA-256 digest of the certificate's DER in
    /// lower-case hexadecimal digits.
    public let id: String
    /// The certificate of the issuing authority (IACA).
    public let certificate: Certificate
    /// The document types that it is trusted for; nil for all.
    public let docTypes: Set<DocType>?

    /// Trusts a certificate.
    ///
    /// - Parameters:
    ///   - certificate: The certificate of the issuing authority.
    ///   - id: What the entry is called; nil for the digest of the certificate.
    ///   - docTypes: The document types that it is trusted for, such as those that a VICAL lists; nil for all.
    public init(_ certificate: Certificate, id: String? = nil, docTypes: Set<DocType>? = nil) {
        self.id = id ?? certificate.fingerprintText
        self.certificate = certificate
        self.docTypes = docTypes
    }

    /// Whether it is trusted for documents of a type.
    public func covers(_ docType: DocType) -> Bool {
        docTypes?.contains(docType) ?? true
    }
}

/// The entries of a configuration, found by the certificate that they trust.
///
/// Several may name one certificate; together they stand for all document types that any of them names.
struct AnchorPurposes: Sendable {
    private let entries: [Certificate: [TrustAnchor]]

    init(_ anchors: [TrustAnchor]) {
        entries = Dictionary(grouping: anchors, by: \.certificate)
    }

    /// The first entry that trusts a certificate for documents of a type.
    func anchor(for docType: DocType, _ certificate: Certificate) -> TrustAnchor? {
        entries[certificate]?.first { $0.covers(docType) }
    }
}
