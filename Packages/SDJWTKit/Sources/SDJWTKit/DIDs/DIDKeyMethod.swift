import CryptoCore
public import JOSEKit

/// The DID method `key`: the DID is the key (The did:key Method).
///
/// Ed25519, X25519, P-256, P-384, P-521, secp256k1 and RSA keys are known. Nothing is fetched.
public struct DIDKeyMethod: DIDKeyResolver {
    /// Makes a resolver.
    public init() {}

    /// The key that the DID encodes; a fragment repeats it.
    ///
    /// An X25519 key serves key agreement only, any other key everything else (The did:key Method, section 3.1).
    ///
    /// - Throws: ``SDJWTError`` with code ``SDJWTError/Code/invalidDID`` for another method and for a malformed key,
    ///   ``SDJWTError/Code/unsupportedDID`` for a kind of key that is not implemented,
    ///   ``SDJWTError/Code/verificationMethodNotFound`` for another fragment, such as that of the key agreement key
    ///   which is derived from an Ed25519 key, and for another relationship.
    public func key(for url: String, relationship: VerificationRelationship) throws(SDJWTError) -> JWK {
        let url = try DIDURL(url)
        guard url.method == "key" else { throw DIDURL.invalid("it is not of the method key") }
        let key = try Multikey.publicKey(base58: url.identifier)
        guard url.fragment.map({ $0.hasSameBytes(as: url.identifier) }) ?? true else {
            throw url.noKey("the fragment names another key than the DID")
        }
        guard (relationship == .keyAgreement) == (key.curve?.family == .montgomery) else {
            throw url.noKey("the key is not for \(relationship.rawValue)")
        }
        do throws(JOSEError) {
            return try JWK(key)
        } catch {
            throw DIDURL.invalid(error.message, cause: error)
        }
    }
}
