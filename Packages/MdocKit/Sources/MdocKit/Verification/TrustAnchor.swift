public import CryptoCore

/// A certificate of an issuing authority that a reader trusts, by configuration or by a trust list.
///
/// Copies share one storage.
public struct TrustAnchor: Sendable, Identifiable {
    private let entry: Entry

    /// The identifier of the entry: a name of the caller's choice, or the SHA-256 digest of the certificate's DER in
    /// lower-case hexadecimal digits.
    public var id: String { entry.id }
    /// The certificate of the issuing authority (IACA).
    public var certificate: Certificate { entry.certificate }
    /// The document types that it is trusted for; nil for all.
    public var docTypes: Set<DocType>? { entry.docTypes }

    /// Trusts a certificate.
    ///
    /// - Parameters:
    ///   - certificate: The certificate of the issuing authority.
    ///   - id: The identifier of the entry; nil for the digest of the certificate.
    ///   - docTypes: The document types that it is trusted for, such as those that a VICAL lists; nil for all.
    public init(_ certificate: Certificate, id: String? = nil, docTypes: Set<DocType>? = nil) {
        entry = Entry(id: id ?? certificate.fingerprintText, certificate: certificate, docTypes: docTypes)
    }

    /// Returns `true` if it is trusted for documents of a type.
    public func covers(_ docType: DocType) -> Bool {
        docTypes?.contains(docType) ?? true
    }

    /// The storage that all copies share: every verification takes one along.
    private final class Entry: Sendable {
        let id: String
        let certificate: Certificate
        let docTypes: Set<DocType>?

        init(id: String, certificate: Certificate, docTypes: Set<DocType>?) {
            self.id = id
            self.certificate = certificate
            self.docTypes = docTypes
        }
    }
}

extension TrustAnchor: Hashable {
    /// Returns `true` for the same certificate with the same document types and the same identifier.
    public static func == (left: TrustAnchor, right: TrustAnchor) -> Bool {
        left.id == right.id && left.certificate == right.certificate && left.docTypes == right.docTypes
    }

    /// Hashes name and certificate.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(certificate)
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
