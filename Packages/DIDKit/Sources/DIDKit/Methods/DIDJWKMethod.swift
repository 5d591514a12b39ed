public import CryptoCore
public import JOSEKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The DID method `jwk`: the DID is a JWK in base64url (The did:jwk Method).
///
/// Nothing is fetched.
public struct DIDJWKMethod: DIDResolver {
    /// Makes a resolver.
    public init() {}

    /// The document of the key that the DID encodes, with its restrictions; its only verification method is `#0`.
    ///
    /// A key for encryption serves key agreement only, and one for signatures does not serve it (The did:jwk Method).
    ///
    /// - Throws: ``DIDError/Code/unsupportedMethod`` for another method, ``DIDError/Code/invalidKey``, also for a private or
    ///   symmetric key, ``DIDError/Code/unsupportedKey``.
    public func document(of did: DID, at time: Date) throws(DIDError) -> DIDDocument {
        try did.requireMethod("jwk")
        let jwk: JWK
        do throws(JOSEError) {
            jwk = try JWK(decoding: try Base64URL.decode(did.identifier))
            _ = try jwk.publicKey()
        } catch {
            throw DIDError(error)
        }
        let name = DIDURL(did, fragment: "0")
        var relationships: [VerificationRelationship: [DIDURL]] = [:]
        for relationship in VerificationRelationship.all {
            guard jwk.use != (relationship == .keyAgreement ? .signature : .encryption) else { continue }
            relationships[relationship] = [name]
        }
        return DIDDocument(
            id: did,
            verificationMethods: [VerificationMethod(id: name, jwk: jwk)],
            relationships: relationships
        )
    }
}

extension DID {
    /// The `did:jwk` of a public key.
    ///
    /// - Throws: ``DIDError/Code/unsupportedKey`` for a key without a form in JOSE.
    public static func jwk(_ publicKey: PublicKey) throws(DIDError) -> DID {
        let key: JWK
        do throws(JOSEError) {
            key = try JWK(publicKey)
        } catch {
            throw DIDError(error)
        }
        return try jwk(key)
    }

    /// The `did:jwk` of a public JWK, whose restrictions are part of it.
    ///
    /// - Throws: ``DIDError/Code/invalidKey`` for a private or symmetric key.
    public static func jwk(_ jwk: JWK) throws(DIDError) -> DID {
        do throws(JOSEError) {
            _ = try jwk.publicKey()
        } catch {
            throw DIDError(error)
        }
        return DID(method: "jwk", identifier: Base64URL.encode(jwk.encoded()))
    }
}
