public import JSONKit

/// The key whose possession the presenter of a token proves: the `cnf` claim (RFC 7800; RFC 9449, section 6.1).
public enum JWTConfirmation: Sendable {
    /// The public key itself (`jwk`).
    case key(JWK)
    /// The identifier of a key that both sides know (`kid`).
    case keyID(String)
    /// The SHA-256 thumbprint of the key (`jkt`).
    case thumbprint([UInt8])

    /// Reads the claim; members of other methods are skipped.
    ///
    /// - Throws: ``JOSEError/Code/invalidClaim`` if none of the methods is there or several name a key,
    ///   ``JOSEError/Code/privateMembers`` for a key with a private part, and the errors for an invalid key.
    public init(json value: JSONValue) throws(JOSEError) {
        // RFC 7800, section 3.1: one key; its identifier may come with it.
        switch (value["jwk"], value["jkt"], value["kid"]) {
        case (let value?, nil, _):
            let key = try JWK(json: value)
            _ = try key.publicKey()
            self = .key(key)
        case (nil, let value?, nil): self = .thumbprint(try Self.thumbprint(value))
        case (nil, nil, let value?):
            guard let keyID = value.stringValue else { throw JWTClaims.expected("a string", at: "kid") }
            self = .keyID(keyID)
        default: throw JOSEError(.invalidClaim, "no method of confirmation that is implemented, or several")
        }
    }

    private static func thumbprint(_ value: JSONValue) throws(JOSEError) -> [UInt8] {
        guard let text = value.stringValue else { throw JWTClaims.expected("a digest in base64url", at: "jkt") }
        let digest: [UInt8]
        do throws(JOSEError) {
            digest = try Base64URL.decode(text)
        } catch {
            throw JWTClaims.expected("a digest in base64url", at: "jkt", cause: error)
        }
        guard digest.count == 32 else { throw JWTClaims.expected("a digest of 32 bytes", at: "jkt") }
        return digest
    }

    /// The claim's value.
    public var json: JSONValue {
        switch self {
        case .key(let key): ["jwk": .object(key.members)]
        case .keyID(let keyID): ["kid": .string(keyID)]
        case .thumbprint(let digest): ["jkt": .string(Base64URL.encode(digest))]
        }
    }
}
