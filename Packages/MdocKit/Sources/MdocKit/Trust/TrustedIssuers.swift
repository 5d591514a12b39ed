public import CryptoCore

/// The issuing authorities that a reader trusts, each under an identifier: a list to keep, to change and to pass to an
/// ``MdocVerifier``.
///
/// ```swift
/// var issuers = TrustedIssuers()
/// try issuers.add(pem: text)
/// try issuers.add(iaca, id: "utopia", docTypes: [.mDL])
/// let verifier = MdocVerifier(trustAnchors: issuers.anchors)
/// issuers.remove(id: "utopia")
/// ```
/// An identifier names one entry. The same certificate may have several entries, each with its own document types; it
/// is then trusted for all of them.
public struct TrustedIssuers: Hashable, Sendable {
    /// The entries in the order in which they were added.
    public private(set) var anchors: [TrustAnchor] = []

    /// The index of each identifier's entry.
    private var indices: [String: Int] = [:]

    /// An empty list.
    public init() {}

    /// A list of entries, such as those that were stored.
    ///
    /// - Throws: ``MdocError`` as ``add(_:)`` does.
    public init(_ anchors: some Sequence<TrustAnchor>) throws(MdocError) {
        try add(contentsOf: anchors)
    }

    /// The entry with an identifier, or nil.
    public subscript(id: TrustAnchor.ID) -> TrustAnchor? {
        indices[id].map { anchors[$0] }
    }

    /// Adds an entry; an equal one is not added again.
    ///
    /// - Throws: ``MdocError`` with code `duplicateTrustAnchor` if the identifier names another certificate, or the
    ///   same for other document types.
    public mutating func add(_ anchor: TrustAnchor) throws(MdocError) {
        if let known = self[anchor.id] {
            guard known == anchor else {
                throw MdocError(.duplicateTrustAnchor, "there is another trust anchor \(anchor.id)")
            }
            return
        }
        indices[anchor.id] = anchors.count
        anchors.append(anchor)
    }

    /// Adds all of several entries, or none of them.
    ///
    /// - Throws: ``MdocError`` as ``add(_:)-(TrustAnchor)`` does.
    public mutating func add(contentsOf anchors: some Sequence<TrustAnchor>) throws(MdocError) {
        var copy = self
        for anchor in anchors { try copy.add(anchor) }
        self = copy
    }

    /// Adds a certificate.
    ///
    /// - Parameters:
    ///   - certificate: The certificate of an issuing authority.
    ///   - id: The identifier of the entry; nil for the digest of the certificate.
    ///   - docTypes: The document types that it is trusted for; nil for all.
    /// - Returns: The entry.
    /// - Throws: ``MdocError`` with code `duplicateTrustAnchor` if the identifier names another certificate, or the
    ///   same for other document types.
    @discardableResult
    public mutating func add(
        _ certificate: Certificate,
        id: TrustAnchor.ID? = nil,
        docTypes: Set<DocType>? = nil
    ) throws(MdocError) -> TrustAnchor {
        let anchor = TrustAnchor(certificate, id: id, docTypes: docTypes)
        try add(anchor)
        return anchor
    }

    /// Adds a certificate given as DER.
    ///
    /// - Returns: The entry.
    /// - Throws: ``MdocError`` with code `malformedCertificate`, or as for a certificate that was read before.
    @discardableResult
    public mutating func add(
        der: some Collection<UInt8>,
        id: TrustAnchor.ID? = nil,
        docTypes: Set<DocType>? = nil
    ) throws(MdocError) -> TrustAnchor {
        let certificate: Certificate
        do {
            certificate = try Certificate(der: der)
        } catch {
            throw MdocError(.malformedCertificate, "not a certificate in DER", cause: error)
        }
        return try add(certificate, id: id, docTypes: docTypes)
    }

    /// Adds every certificate of a PEM text, or none of them; each gets its digest as identifier.
    ///
    /// - Returns: The entries, in the order of the text.
    /// - Throws: ``MdocError`` with code `malformedCertificate` if a certificate cannot be read or there is none, or as
    ///   for a certificate that was read before.
    @discardableResult
    public mutating func add(
        pem text: some StringProtocol,
        docTypes: Set<DocType>? = nil
    ) throws(MdocError) -> [TrustAnchor] {
        let certificates: [Certificate]
        do {
            certificates = try Certificate.all(inPEM: text)
        } catch {
            throw MdocError(.malformedCertificate, "not certificates in PEM", cause: error)
        }
        guard !certificates.isEmpty else {
            throw MdocError(.malformedCertificate, "the text holds no certificate")
        }
        let added = certificates.map { TrustAnchor($0, docTypes: docTypes) }
        try add(contentsOf: added)
        return added
    }

    /// Takes an entry away.
    ///
    /// - Returns: The entry with the identifier, or nil if absent.
    @discardableResult
    public mutating func remove(id: TrustAnchor.ID) -> TrustAnchor? {
        guard let index = indices.removeValue(forKey: id) else { return nil }
        let removed = anchors.remove(at: index)
        for (later, anchor) in anchors.enumerated().dropFirst(index) { indices[anchor.id] = later }
        return removed
    }
}
