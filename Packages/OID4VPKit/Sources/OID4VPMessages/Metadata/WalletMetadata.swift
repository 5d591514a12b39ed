public import JOSEKit
public import JSONKit

/// The metadata of a wallet: its statements to a verifier, in `wallet_metadata` and as an authorization server (section
/// 10).
///
/// ```swift
/// var metadata = WalletMetadata(formats: [.sdJWT: FormatAlgorithms(algorithms: ["ES256"])])
/// metadata.clientRules = [.x509Hash]
/// let parameter = metadata.json(for: [.v1])
/// ```
public struct WalletMetadata: Sendable {
    /// The formats, each with its algorithms.
    public var formats: [CredentialFormat: FormatAlgorithms]
    /// Indicates that a presentation definition may be given by reference (drafts before 26).
    public var readsDefinitionsByReference: Bool
    /// The rules by which clients are authenticated; nil to say nothing.
    ///
    /// A wallet that fetches a request sends the rules of its policy where this is nil.
    public var clientRules: [ClientIdentifier.Rule]?
    /// The algorithms that requests may be signed with; nil to say nothing.
    public var requestAlgorithms: [JWSAlgorithm]?
    /// The key management algorithms for encrypted request objects; nil to say nothing.
    public var requestEncryptionAlgorithms: [JWEAlgorithm]?
    /// The content encryptions for encrypted request objects; nil to say nothing.
    public var requestEncryptions: [JWEEncryption]?
    /// The key management algorithms for responses; nil to say nothing.
    public var encryptionAlgorithms: [JWEAlgorithm]?
    /// The content encryptions for responses; nil to say nothing.
    public var encryptions: [JWEEncryption]?
    /// The response types; nil to say nothing.
    public var responseTypes: [ExactText]?
    /// The response modes; nil to say nothing.
    public var responseModes: [ResponseMode]?
    /// The wallet's name as an issuer of responses; nil to say nothing.
    public var issuer: String?
    /// The wallet's own address for requests; nil to say nothing.
    public var authorizationEndpoint: String?
    /// The keys to encrypt request objects to (section 5.10); nil if request objects are not to be encrypted.
    public var keys: JWKSet?

    /// Names the formats, and leaves the rest at its default.
    public init(formats: [CredentialFormat: FormatAlgorithms]) {
        self.formats = formats
        readsDefinitionsByReference = true
    }

    /// The metadata for a client: without algorithms for requests where the client has none signed, or where the wallet
    /// knows the client's keys.
    public func forClient(_ rule: ClientIdentifier.Rule) -> WalletMetadata {
        guard rule == .redirectURI || rule == .preRegistered else { return self }
        var metadata = self
        metadata.requestAlgorithms = nil
        return metadata
    }
}

extension WalletMetadata {
    /// The names of members, which depend on the version.
    enum Name {
        static let formats = "vp_formats_supported"
        static let references = "presentation_definition_uri_supported"
        static let schemes = "client_id_schemes_supported"
        static let prefixes = "client_id_prefixes_supported"
        static let requestAlgorithms = "request_object_signing_alg_values_supported"
        static let requestEncryptionAlgorithms = "request_object_encryption_alg_values_supported"
        static let requestEncryptions = "request_object_encryption_enc_values_supported"
        static let encryptionAlgorithms = "authorization_encryption_alg_values_supported"
        static let encryptions = "authorization_encryption_enc_values_supported"
        static let responseTypes = "response_types_supported"
        static let responseModes = "response_modes_supported"
    }

    /// The metadata in JSON, with the members of all the given versions side by side.
    ///
    /// A wallet that fetches a request does not know its version yet. The members of the versions have different names
    /// where they differ in form.
    public func json(for versions: Set<OpenID4VPVersion>) -> JSONObject {
        func list(_ texts: [ExactText]) -> JSONValue { .array(texts.map { .string($0.text) }) }
        let isDraft = versions.contains(.draft21) || versions.contains(.draft23)
        let isCurrent = versions.contains(.v1)
        var members = JSONObject()
        var supported = JSONObject()
        for (format, algorithms) in formats.sorted(by: { $0.key < $1.key }) {
            var object = JSONObject()
            if isDraft { object = algorithms.draftJSON(format) }
            if isCurrent { for (name, value) in algorithms.json(format) { object[name] = value } }
            supported[format.text] = .object(object)
        }
        members[Name.formats] = .object(supported)
        if isDraft {
            members[Name.references] = .bool(readsDefinitionsByReference)
            let names = clientRules?.flatMap { $0.schemes(of: versions) } ?? []
            if !names.isEmpty { members[Name.schemes] = list(names) }
        }
        if isCurrent, let names = clientRules?.compactMap(\.currentPrefix), !names.isEmpty {
            members[Name.prefixes] = list(names)
        }
        if let requestAlgorithms {
            members[Name.requestAlgorithms] = list(requestAlgorithms.map { ExactText($0.rawValue) })
        }
        if let requestEncryptionAlgorithms {
            members[Name.requestEncryptionAlgorithms] = list(
                requestEncryptionAlgorithms.map { ExactText($0.rawValue) }
            )
        }
        if let requestEncryptions {
            members[Name.requestEncryptions] = list(requestEncryptions.map { ExactText($0.rawValue) })
        }
        if let encryptionAlgorithms {
            members[Name.encryptionAlgorithms] = list(encryptionAlgorithms.map { ExactText($0.rawValue) })
        }
        if let encryptions { members[Name.encryptions] = list(encryptions.map { ExactText($0.rawValue) }) }
        if let responseTypes { members[Name.responseTypes] = list(responseTypes) }
        if let responseModes { members[Name.responseModes] = list(responseModes.map { ExactText($0.text) }) }
        if let issuer { members["issuer"] = .string(issuer) }
        if let authorizationEndpoint { members["authorization_endpoint"] = .string(authorizationEndpoint) }
        if let keys {
            members["jwks"] = [
                "keys": .array(keys.keys.compactMap(\.publicJWK).map { JSONValue.object($0.members) })
            ]
        }
        return members
    }
}

extension FormatAlgorithms {
    /// The members of 1.0 (appendix B).
    fileprivate func json(_ format: CredentialFormat) -> JSONObject {
        func list(_ texts: [ExactText]) -> [JSONValue] { texts.map { .string($0.text) } }
        func numbers(_ texts: [ExactText]) -> [JSONValue] { texts.compactMap { Int($0.text).map { .integer($0) } } }
        let parts: [(String, [ExactText])] =
            switch format {
            case .mdoc: [("issuerauth_alg_values", algorithms), ("deviceauth_alg_values", holderAlgorithms)]
            case .sdJWT, .olderSDJWT: [("sd-jwt_alg_values", algorithms), ("kb-jwt_alg_values", holderAlgorithms)]
            case .linkedData: [("proof_type_values", proofTypes), ("cryptosuite_values", cryptosuites)]
            default: [("alg_values", algorithms)]
            }
        var members = JSONObject()
        for (name, values) in parts {
            let values = format == .mdoc ? numbers(values) : list(values)
            // A list is never empty (appendix B).
            if !values.isEmpty { members[name] = .array(values) }
        }
        return members
    }

    /// The member of drafts, the same for all formats.
    fileprivate func draftJSON(_ format: CredentialFormat) -> JSONObject {
        var names: [ExactText] = format == .linkedData ? proofTypes + cryptosuites : algorithms
        if format == .mdoc {
            names = names.compactMap { Self.joseNames[$0] ?? (Int($0.text) == nil ? $0 : nil) }
                .reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        }
        return names.isEmpty ? [:] : ["alg_values_supported": .array(names.map { .string($0.text) })]
    }

    /// The names in JOSE of the numbers in COSE.
    private static let joseNames: [ExactText: ExactText] = [
        "-7": "ES256", "-9": "ES256", "-35": "ES384", "-51": "ES384", "-36": "ES512", "-52": "ES512", "-8": "EdDSA",
        "-19": "EdDSA",
    ]
}

extension ClientIdentifier.Rule {
    /// The names in the metadata of drafts: the scheme of draft 21, which is that of drafts 22 to 25 but for federations.
    fileprivate func schemes(of versions: Set<OpenID4VPVersion>) -> [ExactText] {
        guard self == .federation else { return [scheme] }
        return (versions.contains(.draft21) ? [scheme] : [])
            + (versions.contains(.draft23) ? [Self.federationOfLaterDrafts] : [])
    }

    private static let federationOfLaterDrafts: ExactText = "https"

    /// The scheme of draft 21, or of drafts 22 to 25 for those that draft 21 does not have.
    private var scheme: ExactText {
        switch self {
        case .preRegistered: "pre-registered"
        case .redirectURI: "redirect_uri"
        case .decentralizedIdentifier: "did"
        case .x509SANDNS: "x509_san_dns"
        case .x509SANURI: "x509_san_uri"
        case .x509Hash: "x509_hash"
        case .verifierAttestation: "verifier_attestation"
        case .federation: "entity_id"
        }
    }

    /// The prefix of 1.0; nil for one that was removed.
    fileprivate var currentPrefix: ExactText? {
        switch self {
        case .decentralizedIdentifier: "decentralized_identifier"
        case .federation: "openid_federation"
        case .x509SANURI: nil
        default: scheme
        }
    }

    /// The rule of a scheme or prefix in metadata; nil for an unknown one.
    init?(metadata name: ExactText) {
        let known =
            name == Self.federationOfLaterDrafts
            ? .federation : Self.all.first { $0.scheme == name || $0.currentPrefix == name }
        guard let known else { return nil }
        self = known
    }

    private static let all: [Self] = [
        .preRegistered, .redirectURI, .decentralizedIdentifier, .x509SANDNS, .x509SANURI, .x509Hash,
        .verifierAttestation, .federation,
    ]
}
