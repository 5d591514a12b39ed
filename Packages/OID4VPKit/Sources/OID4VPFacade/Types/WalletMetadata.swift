import JSONKit
import OID4VPMessages

/// The metadata of a wallet (`wallet_metadata` of drafts 21 and 23).
public struct WalletMetadata: Hashable, Sendable {
    /// Indicates that a presentation definition may be given by reference.
    public let presentationDefinitionURISupported: Bool
    /// The formats, with the algorithms for each.
    public let vpFormatsSupported: [FormatType: VPFormatSupported]
    /// The client identifier schemes.
    public let clientIdSchemesSupported: [ClientIdScheme]
    /// The algorithms that requests may be signed with; nil for any that the library verifies.
    public let requestObjectSigningAlgValuesSupported: [RequestSigningAlgorithm]?
    /// The key management algorithms for responses; nil for any that the library has.
    public let authorizationEncryptionAlgValuesSupported: [KeyManagementAlgorithm]?
    /// The content encryptions for responses; nil for any that the library has.
    public let authorizationEncryptionEncValuesSupported: [ContentEncryptionAlgorithm]?

    /// Describes a wallet.
    ///
    /// - Throws: ``InvalidData`` for an empty map of formats.
    public init(
        presentationDefinitionURISupported: Bool = true,
        vpFormatsSupported: [FormatType: VPFormatSupported],
        clientIdSchemesSupported: [ClientIdScheme] = [.preRegistered],
        requestObjectSigningAlgValuesSupported: [RequestSigningAlgorithm]? = nil,
        authorizationEncryptionAlgValuesSupported: [KeyManagementAlgorithm]? = nil,
        authorizationEncryptionEncValuesSupported: [ContentEncryptionAlgorithm]? = nil
    ) throws(OpenID4VPException) {
        guard !vpFormatsSupported.isEmpty else {
            throw InvalidData(
                message: "vp_formats_supported should at least have one supported vp_format",
                className: "WalletMetadata"
            )
        }
        self.presentationDefinitionURISupported = presentationDefinitionURISupported
        self.vpFormatsSupported = vpFormatsSupported
        self.clientIdSchemesSupported = clientIdSchemesSupported
        self.requestObjectSigningAlgValuesSupported = requestObjectSigningAlgValuesSupported
        self.authorizationEncryptionAlgValuesSupported = authorizationEncryptionAlgValuesSupported
        self.authorizationEncryptionEncValuesSupported = authorizationEncryptionEncValuesSupported
    }

    /// Describes a wallet, with the formats by their names.
    ///
    /// - Throws: ``InvalidData`` for an empty map of formats and for an unknown name.
    public init(
        presentationDefinitionURISupported: Bool = true,
        vpFormatsSupported: [String: VPFormatSupported],
        clientIdSchemesSupported: [ClientIdScheme] = [.preRegistered],
        requestObjectSigningAlgValuesSupported: [RequestSigningAlgorithm]? = nil,
        authorizationEncryptionAlgValuesSupported: [KeyManagementAlgorithm]? = nil,
        authorizationEncryptionEncValuesSupported: [ContentEncryptionAlgorithm]? = nil
    ) throws(OpenID4VPException) {
        var formats: [FormatType: VPFormatSupported] = [:]
        for (name, format) in vpFormatsSupported {
            guard let type = FormatType(rawValue: name) else {
                throw InvalidData(message: "The format \(name) is not supported", className: "WalletMetadata")
            }
            formats[type] = format
        }
        try self.init(
            presentationDefinitionURISupported: presentationDefinitionURISupported,
            vpFormatsSupported: formats,
            clientIdSchemesSupported: clientIdSchemesSupported,
            requestObjectSigningAlgValuesSupported: requestObjectSigningAlgValuesSupported,
            authorizationEncryptionAlgValuesSupported: authorizationEncryptionAlgValuesSupported,
            authorizationEncryptionEncValuesSupported: authorizationEncryptionEncValuesSupported
        )
    }
}

/// The algorithms that a wallet supports for a format.
public struct VPFormatSupported: Hashable, Sendable, Codable {
    /// The algorithms; nil to say nothing.
    public let algValuesSupported: [String]?

    /// Names the algorithms.
    public init(algValuesSupported: [String]?) {
        self.algValuesSupported = algValuesSupported
    }

    private enum CodingKeys: String, CodingKey {
        case algValuesSupported = "alg_values_supported"
    }
}

/// A format of credentials.
public enum FormatType: String, Hashable, Sendable, Codable, CaseIterable {
    /// A W3C credential with a linked-data proof.
    case ldp_vc
    /// An mdoc.
    case mso_mdoc
    /// An SD-JWT VC, by its older name.
    case vc_sd_jwt = "vc+sd-jwt"
    /// An SD-JWT VC.
    case dc_sd_jwt = "dc+sd-jwt"

    /// The format as the other modules name it.
    var credentialFormat: CredentialFormat { CredentialFormat(rawValue) }

    /// Indicates that it is one of the names of SD-JWT VC.
    var isSDJWT: Bool { self == .vc_sd_jwt || self == .dc_sd_jwt }
}

/// A client identifier scheme.
public enum ClientIdScheme: String, Hashable, Sendable, Codable {
    /// The wallet knows the client.
    case preRegistered = "pre-registered"
    /// The identifier is the address of the response.
    case redirectUri = "redirect_uri"
    /// A key of a DID signs.
    case did
}

/// An algorithm that requests may be signed with.
public enum RequestSigningAlgorithm: String, Hashable, Sendable, Codable {
    /// EdDSA on Ed25519.
    case edDsa = "EdDSA"
}

/// A key management algorithm for responses.
public enum KeyManagementAlgorithm: String, Hashable, Sendable, Codable {
    /// ECDH-ES.
    case ecdhEs = "ECDH-ES"
}

/// A content encryption for responses.
public enum ContentEncryptionAlgorithm: String, Hashable, Sendable, Codable {
    /// AES-GCM with 256 bits.
    case A256GCM
}

extension WalletMetadata: Encodable {
    private enum CodingKeys: String, CodingKey {
        case presentationDefinitionURISupported = "presentation_definition_uri_supported"
        case vpFormatsSupported = "vp_formats_supported"
        case clientIdSchemesSupported = "client_id_schemes_supported"
        case requestObjectSigningAlgValuesSupported = "request_object_signing_alg_values_supported"
        case authorizationEncryptionAlgValuesSupported = "authorization_encryption_alg_values_supported"
        case authorizationEncryptionEncValuesSupported = "authorization_encryption_enc_values_supported"
    }

    /// Writes the metadata as drafts 21 and 23 have them.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(presentationDefinitionURISupported, forKey: .presentationDefinitionURISupported)
        let formats = vpFormatsSupported.map { ($0.rawValue, $1) }
        try container.encode(Dictionary(formats) { $1 }, forKey: .vpFormatsSupported)
        try container.encode(clientIdSchemesSupported, forKey: .clientIdSchemesSupported)
        try container.encodeIfPresent(
            requestObjectSigningAlgValuesSupported,
            forKey: .requestObjectSigningAlgValuesSupported
        )
        try container.encodeIfPresent(
            authorizationEncryptionAlgValuesSupported,
            forKey: .authorizationEncryptionAlgValuesSupported
        )
        try container.encodeIfPresent(
            authorizationEncryptionEncValuesSupported,
            forKey: .authorizationEncryptionEncValuesSupported
        )
    }
}
