public import JOSEKit

/// The DID method `jwk`: the DID is a JWK in base64url (The did:jwk Method).
///
/// Nothing is fetched.
public struct DIDJWKMethod: DIDKeyResolver {
    /// Makes a resolver.
    public init() {}

    /// The key that the DID encodes, with its restrictions; its only fragment is `0`.
    ///
    /// A key for encryption serves key agreement only, and one for signatures does not serve it (The did:jwk Method).
    ///
    /// - Throws: ``SDJWTError`` with code ``SDJWTError/Code/invalidDID`` for another method, for a malformed key, and
    ///   for a key with a private or symmetric part, ``SDJWTError/Code/verificationMethodNotFound`` for another
    ///   fragment and for another relationship.
    public func key(for url: String, relationship: VerificationRelationship) throws(SDJWTError) -> JWK {
        let url = try DIDURL(url)
        guard url.method == "jwk" else { throw DIDURL.invalid("it is not of the method jwk") }
        let jwk: JWK
        do throws(JOSEError) {
            jwk = try JWK(decoding: try Base64URL.decode(url.identifier))
            _ = try jwk.publicKey()
        } catch {
            throw DIDURL.invalid(error.message, cause: error)
        }
        guard url.fragment ?? "0" == "0" else { throw url.noKey("the fragment is not 0") }
        guard jwk.use != (relationship == .keyAgreement ? .signature : .encryption) else {
            throw url.noKey("the key is not for \(relationship.rawValue)")
        }
        return jwk
    }
}
