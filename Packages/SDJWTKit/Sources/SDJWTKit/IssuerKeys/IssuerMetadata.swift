public import CredentialTransport
public import JOSEKit
import JSONKit

/// The metadata that an issuer publishes, so that verifiers find its keys (SD-JWT VC, JWT VC Issuer Metadata).
///
/// ```swift
/// let keys = JWKSet([try JWK(issuer.publicKey, keyID: "1")])
/// let metadata = try IssuerMetadata(issuer: "https://issuer.example", keys: keys)
/// print("serve", String(decoding: metadata.encoded(), as: UTF8.self), "at", metadata.url)
/// ```
///
/// ``IssuerMetadataKeys`` reads them. The header of each credential names its key by `kid`.
public struct IssuerMetadata: Sendable {
    /// The media type that they are served with: `application/json`.
    public static let mediaType = MediaType.json

    /// The issuer, as its credentials name it in `iss`.
    public let issuer: String
    /// The place where verifiers ask for them: `/.well-known/jwt-vc-issuer` between host and path of the issuer.
    public let url: HTTPURL

    private let keys: (name: String, value: JSONValue)

    /// Metadata that hold the keys (`jwks`).
    ///
    /// - Parameters:
    ///   - issuer: The issuer: an https URL without query and fragment.
    ///   - keys: The keys that sign its credentials and status lists. Of private keys the public part is published.
    /// - Throws: ``SDJWTError/Code/issuerKeyNotFound`` for another name; ``SDJWTError/Code/invalidValue`` without a key, and for
    ///   a symmetric one.
    public init(issuer: String, keys: JWKSet) throws(SDJWTError) {
        let open = keys.keys.compactMap(\.publicJWK)
        guard !open.isEmpty, open.count == keys.keys.count else {
            throw SDJWTError(.invalidValue, "an issuer publishes public keys, one at least", path: ["jwks"])
        }
        try self.init(issuer, ("jwks", ["keys": .array(open.map { .object($0.members) })]))
    }

    /// Metadata that say where the keys are (`jwks_uri`).
    ///
    /// - Parameters:
    ///   - issuer: The issuer: an https URL without query and fragment.
    ///   - keysURL: The https URL of a JWK Set.
    /// - Throws: ``SDJWTError/Code/issuerKeyNotFound`` for another name; ``SDJWTError/Code/invalidValue`` for a URL without TLS.
    public init(issuer: String, keysURL: HTTPURL) throws(SDJWTError) {
        guard keysURL.scheme == .https else {
            throw SDJWTError(.invalidValue, "the URL of the keys is no https URL", path: ["jwks_uri"])
        }
        try self.init(issuer, ("jwks_uri", .string(keysURL.description)))
    }

    private init(_ issuer: String, _ keys: (String, JSONValue)) throws(SDJWTError) {
        url = try IssuerIdentifier(issuer).metadataURL()
        self.issuer = issuer
        self.keys = keys
    }

    /// The metadata as JSON text.
    public func encoded() -> [UInt8] {
        JSONValue.object(JSONObject([("issuer", .string(issuer)), keys])).encoded()
    }
}
