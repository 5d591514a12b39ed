public import CryptoCore
public import MdocKit

// Certificates of the verifier's own configuration.
extension TrustedIssuers {
    /// Adds an entry; an equal one is not added again.
    ///
    /// - Throws: `MdocError` with code `duplicateTrustAnchor` if the identifier names another certificate, or the
    ///   same for other document types; `storageFailed` or `storageDamaged`.
    public func add(_ anchor: TrustAnchor) throws(MdocError) {
        try add(CollectionOfOne(TrustedIssuer(anchor)))
    }

    /// Adds all of several entries, or none of them.
    ///
    /// - Throws: `MdocError` as ``add(_:)-(TrustAnchor)`` does.
    public func add(contentsOf anchors: some Sequence<TrustAnchor>) throws(MdocError) {
        try add(anchors.map { TrustedIssuer($0) })
    }

    /// Adds a certificate.
    ///
    /// - Parameters:
    ///   - certificate: The certificate of an issuing authority.
    ///   - id: The identifier of the entry; nil for the digest of the certificate.
    ///   - name: The name of the authority; nil for that of the certificate's subject.
    ///   - docTypes: The document types that it is trusted for; nil for all.
    /// - Returns: The entry.
    /// - Throws: `MdocError` as ``add(_:)-(TrustAnchor)`` does.
    @discardableResult
    public func add(
        _ certificate: Certificate,
        id: TrustAnchor.ID? = nil,
        name: String? = nil,
        docTypes: Set<DocType>? = nil
    ) throws(MdocError) -> TrustedIssuer {
        let entry = TrustedIssuer(TrustAnchor(certificate, id: id, docTypes: docTypes), name: name)
        try add(CollectionOfOne(entry))
        return entry
    }

    /// Adds a certificate given as DER.
    ///
    /// - Returns: The entry.
    /// - Throws: `MdocError` with code `malformedCertificate`, or as for a certificate that was read before.
    @discardableResult
    public func add(
        der: some Collection<UInt8>,
        id: TrustAnchor.ID? = nil,
        name: String? = nil,
        docTypes: Set<DocType>? = nil
    ) throws(MdocError) -> TrustedIssuer {
        let certificate: Certificate
        do {
            certificate = try Certificate(der: der)
        } catch {
            throw MdocError(.malformedCertificate, "not a certificate in DER", cause: error)
        }
        return try add(certificate, id: id, name: name, docTypes: docTypes)
    }

    /// Adds every certificate of a PEM text, or none of them; each gets its digest as identifier.
    ///
    /// - Returns: The entries, in the order of the text.
    /// - Throws: `MdocError` with code `malformedCertificate` for a malformed or missing certificate, or as for a
    ///   certificate that was read before.
    @discardableResult
    public func add(
        pem text: some StringProtocol,
        docTypes: Set<DocType>? = nil
    ) throws(MdocError) -> [TrustedIssuer] {
        let certificates: [Certificate]
        do {
            certificates = try Certificate.all(inPEM: text)
        } catch {
            throw MdocError(.malformedCertificate, "not certificates in PEM", cause: error)
        }
        guard !certificates.isEmpty else {
            throw MdocError(.malformedCertificate, "the text holds no certificate")
        }
        let added = certificates.map { TrustedIssuer(TrustAnchor($0, docTypes: docTypes)) }
        try add(added)
        return added
    }
}
