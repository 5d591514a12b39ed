public import JOSEKit
public import JSONKit

/// The metadata that a verifier sends with its request (`client_metadata`; section 11.1).
public struct ClientMetadata: Sendable {
    /// The metadata as received.
    public let members: JSONObject
    /// The formats that the verifier takes, each with its algorithms; nil if it says nothing.
    public let formats: JSONObject?
    /// The algorithms of ``formats``: issuer and holder may use these alone.
    public let algorithms: [CredentialFormat: FormatAlgorithms]
    /// Indicates that the formats have the names and members of drafts before 27.
    private let hasOlderFormats: Bool
    /// The keys to encrypt the response to; nil for none.
    public let keys: JWKSet?
    /// The content encryptions that the verifier takes, the preferred one first (`encrypted_response_enc_values_supported`).
    public let encryptions: [JWEEncryption]
    /// The key management algorithm of the drafts before 26 (`authorization_encrypted_response_alg`).
    public let olderAlgorithm: JWEAlgorithm?
    /// The content encryption of the drafts before 26 (`authorization_encrypted_response_enc`).
    public let olderEncryption: JWEEncryption?
    /// The algorithm of the signature that drafts before 26 can ask of a response (`authorization_signed_response_alg`).
    public let signingAlgorithm: JWSAlgorithm?
    /// Indicates that the algorithms are named as in drafts before 26, and not as in 1.0.
    var hasOlderEncryptionAlone: Bool {
        olderAlgorithm != nil && members["encrypted_response_enc_values_supported"] == nil
    }

    /// The name for the user, which nothing vouches for unless the request is signed.
    public var clientName: String? { members["client_name"]?.stringValue }

    private static let root = "client_metadata"

    /// Reads metadata.
    ///
    /// - Throws: ``OID4VPError/Code/invalidMetadata``, also for a key with private members;
    ///   ``OID4VPError/Code/limitExceeded``.
    public init(
        _ members: JSONObject,
        version: OpenID4VPVersion,
        options: RequestReadingOptions = .strict,
        deviations: inout [Deviation]
    ) throws(OID4VPError) {
        let reader = MemberReader(members, .invalidMetadata, at: [Self.root])
        self.members = members
        let name = try Self.nameOfFormats(reader, version, options, &deviations)
        formats = try Self.formats(reader, name)
        hasOlderFormats = name == Self.olderFormats
        algorithms = try Self.algorithms(formats ?? [:], reader.path(name), isOlder: hasOlderFormats, options.limits)
        keys = try reader["jwks"].map { value throws(OID4VPError) in
            try JWKSet(public: value, at: [Self.root, "jwks"])
        }
        let names = try reader.texts("encrypted_response_enc_values_supported", atMost: options.limits.entries)
        encryptions = names?.map(JWEEncryption.init(rawValue:)) ?? [.a128GCM]
        // 1.0 ignores the members of drafts, also malformed ones; well-formed ones count under `olderEncryption` alone. Drafts
        // with DCQL are known by the name of the formats.
        let isDraft = version != .v1 || members["vp_formats_supported"] == nil
        func older(_ name: String) throws(OID4VPError) -> String? {
            isDraft ? try reader.text(name) : reader[name]?.stringValue
        }
        olderAlgorithm = try older("authorization_encrypted_response_alg").map(JWEAlgorithm.init(rawValue:))
        olderEncryption = try older("authorization_encrypted_response_enc").map(JWEEncryption.init(rawValue:))
        signingAlgorithm = try older("authorization_signed_response_alg").map(JWSAlgorithm.init(rawValue:))
        guard !isDraft || olderEncryption == nil || olderAlgorithm != nil else {
            throw reader.invalid("authorization_encrypted_response_enc", "it stands without an algorithm")
        }
    }

    private static let olderFormats = "vp_formats"

    private static func nameOfFormats(
        _ reader: MemberReader,
        _ version: OpenID4VPVersion,
        _ options: RequestReadingOptions,
        _ deviations: inout [Deviation]
    ) throws(OID4VPError) -> String {
        guard version == .v1 else { return olderFormats }
        let name = "vp_formats_supported"
        guard reader[name] == nil, reader[olderFormats] != nil, options.tolerances.contains(.olderFormats) else {
            return name
        }
        try options.tolerate(.olderFormats, at: reader.path(olderFormats), &deviations)
        return olderFormats
    }

    private static func formats(_ reader: MemberReader, _ name: String) throws(OID4VPError) -> JSONObject? {
        guard let value = reader[name] else { return nil }
        guard let formats = value.objectValue else { throw reader.invalid(name, "it must be an object") }
        return formats
    }

    /// The algorithms for each format; unknown formats say nothing.
    private static func algorithms(
        _ formats: JSONObject,
        _ path: [String],
        isOlder: Bool,
        _ limits: RequestLimits
    ) throws(OID4VPError) -> [CredentialFormat: FormatAlgorithms] {
        var algorithms: [CredentialFormat: FormatAlgorithms] = [:]
        for (name, value) in formats {
            let format = CredentialFormat(name)
            let names = isOlder ? FormatAlgorithms.Names(inDraftsFor: format) : FormatAlgorithms.Names(for: format)
            guard let names else { continue }
            let reader = try MemberReader(value, .invalidMetadata, at: path + [name])
            algorithms[format] = try FormatAlgorithms(reader, names, limits)
        }
        return algorithms
    }
}

extension ClientMetadata {
    /// The algorithms that the verifier takes for credentials of a format and their holders; nil if it says nothing about
    /// the format.
    ///
    /// SD-JWT VCs go by both of their names.
    public func algorithms(for format: CredentialFormat) -> FormatAlgorithms? {
        algorithms.algorithms(for: format)
    }

    /// The algorithms that the verifier takes for presentations of W3C credentials; nil if it says nothing about them.
    ///
    /// In 1.0 they are those for the credentials, in drafts those of a format for presentations.
    package func presentationAlgorithms(for format: CredentialFormat) -> FormatAlgorithms? {
        guard hasOlderFormats else { return algorithms(for: format) }
        return format == .linkedData ? algorithms["ldp_vp"] : algorithms["jwt_vp_json"] ?? algorithms["jwt_vp"]
    }
}
