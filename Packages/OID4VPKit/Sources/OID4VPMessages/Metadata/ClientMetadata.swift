public import JOSEKit
public import JSONKit

/// The metadata that a verifier sends with its request (`client_metadata`; section 11.1).
public struct ClientMetadata: Sendable {
    /// The metadata as received.
    public let members: JSONObject
    /// The formats that the verifier takes, each with its algorithms; nil if it says nothing.
    public let formats: JSONObject?
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
        formats = try Self.formats(reader, version, options, &deviations)
        keys = try reader["jwks"].map { value throws(OID4VPError) in
            try JWKSet(public: value, at: [Self.root, "jwks"])
        }
        let names = try reader.texts("encrypted_response_enc_values_supported", atMost: options.limits.entries)
        encryptions = names?.map(JWEEncryption.init(rawValue:)) ?? [.a128GCM]
        olderAlgorithm = try reader.text("authorization_encrypted_response_alg").map(JWEAlgorithm.init(rawValue:))
        olderEncryption = try reader.text("authorization_encrypted_response_enc").map(JWEEncryption.init(rawValue:))
        signingAlgorithm = try reader.text("authorization_signed_response_alg").map(JWSAlgorithm.init(rawValue:))
        guard olderEncryption == nil || olderAlgorithm != nil else {
            throw reader.invalid("authorization_encrypted_response_enc", "it stands without an algorithm")
        }
    }

    private static func formats(
        _ reader: MemberReader,
        _ version: OpenID4VPVersion,
        _ options: RequestReadingOptions,
        _ deviations: inout [Deviation]
    ) throws(OID4VPError) -> JSONObject? {
        var name = version == .v1 ? "vp_formats_supported" : "vp_formats"
        if version == .v1, reader[name] == nil, reader["vp_formats"] != nil,
            options.tolerances.contains(.olderFormats)
        {
            name = "vp_formats"
            try options.tolerate(.olderFormats, at: reader.path(name), &deviations)
        }
        guard let value = reader[name] else { return nil }
        guard let formats = value.objectValue else { throw reader.invalid(name, "it must be an object") }
        return formats
    }
}
