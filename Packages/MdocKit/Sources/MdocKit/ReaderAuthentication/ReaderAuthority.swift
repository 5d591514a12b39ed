public import CBORKit
public import CryptoCore

/// A certification authority of readers that a wallet knows, by configuration or by a RICAL.
public struct ReaderAuthority: Sendable, Identifiable {
    /// The identifier of the entry: a name of the caller's choice, or the SHA-256 digest of the certificate's DER in
    /// lower-case hexadecimal digits.
    public let id: String
    /// The certificate of the authority.
    public let certificate: Certificate
    /// The authority's name, for people.
    public let name: String?
    /// Indicates that the certificate is a trust anchor.
    ///
    /// One that is not is an authority below an anchor. It is known for its constraints, and takes its place in the chains
    /// of readers that leave it out.
    public let isTrustAnchor: Bool
    /// Under which conditions the readers below the authority are trusted: one of them must hold; empty for none.
    public let trustConstraints: [ReaderTrustConstraint]
    /// Indicates an authority below which no reader is trusted, see ``init(refusing:id:name:)``.
    public let isRefused: Bool

    /// Knows an authority.
    ///
    /// - Parameters:
    ///   - certificate: The certificate of the authority.
    ///   - id: The identifier of the entry; nil for the digest of the certificate.
    ///   - name: The authority's name, for people.
    ///   - isTrustAnchor: Indicates that the certificate is a trust anchor.
    ///   - trustConstraints: Under which conditions the readers below it are trusted; empty for none.
    public init(
        _ certificate: Certificate,
        id: String? = nil,
        name: String? = nil,
        isTrustAnchor: Bool = true,
        trustConstraints: [ReaderTrustConstraint] = []
    ) {
        self.id = id ?? certificate.fingerprintText
        self.certificate = certificate
        self.name = name
        self.isTrustAnchor = isTrustAnchor
        self.trustConstraints = trustConstraints
        isRefused = false
    }

    /// Refuses an authority: no reader directly below it is trusted, and no chain ends at it.
    ///
    /// This is for an entry of a RICAL that cannot be read: it may have constraints, and one that is not understood does
    /// not hold (F.3.2.6). Another entry for the same certificate changes nothing.
    ///
    /// - Parameters:
    ///   - certificate: The certificate of the authority.
    ///   - id: The identifier of the entry; nil for the digest of the certificate.
    ///   - name: The authority's name, for people.
    public init(refusing certificate: Certificate, id: String? = nil, name: String? = nil) {
        self.id = id ?? certificate.fingerprintText
        self.certificate = certificate
        self.name = name
        isTrustAnchor = false
        trustConstraints = []
        isRefused = true
    }

    /// The name for messages: the authority's, or else that of the certificate's subject.
    var displayName: String { name ?? "\(certificate.subject)" }
}

/// A condition under which the readers below an authority are trusted (F.3.2.3).
///
/// RICALs state conditions. Ecosystems define them as members of `extensions`; the standard defines none.
public struct ReaderTrustConstraint: Sendable {
    /// The members of `extensions`, to be understood all.
    public let extensions: CBORMapView?
    /// The names of the members beside `extensions`, which are reserved and have no meaning yet.
    public let reservedMembers: [String]

    /// Indicates that there is nothing in it to understand, so that it holds for every reader.
    public var isEmpty: Bool { reservedMembers.isEmpty && extensions?.isEmpty ?? true }
}

extension ReaderTrustConstraint: MdocReadable {
    package init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        let map = try cbor(view.map())
        extensions = try map.value(forKey: "extensions").map { (view) throws(MdocError) in try cbor(view.map()) }
        var names: [String] = []
        for (key, _) in map {
            let name = try cbor(key.text())
            if name != "extensions" { names.append(name) }
        }
        reservedMembers = names
    }
}
