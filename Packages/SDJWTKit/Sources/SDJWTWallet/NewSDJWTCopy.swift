public import CryptoCore
import JOSEKit
import JSONKit
public import SDJWTKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A copy of an SD-JWT VC to add to a wallet's store: verified, and bound to a key of the wallet's, or to none.
public struct NewSDJWTCopy: Sendable {
    /// The `vct`.
    let type: String
    /// The credential in its compact serialization.
    let compact: String
    let validFrom: Date?
    let validUntil: Date?
    /// The wallet's handle of the private key; empty for a credential that names no key.
    public let keyHandle: SecretBytes

    /// Describes a copy that is bound to a key.
    ///
    /// Pass the key to `verifyForStorage`, too. A `cnf` that only names a key (`kid`) is resolved and compared there, and not here.
    ///
    /// - Parameters:
    ///   - credential: The credential as `SDJWTVerifier.verifyForStorage` verified it, with all of its Disclosures.
    ///   - holderKey: The public key that the wallet asked the issuer to bind the copy to.
    ///   - keyHandle: The wallet's handle of the private key, such as the name of a key in hardware, up to 64 KiB; a private
    ///     key itself only where there is no better place.
    /// - Throws: `SDJWTError` with code `missingHolderKey` for a credential that names no key (`cnf`), `claimMismatch` for one
    ///   that is bound to another, `missingClaim` for one without `vct`.
    public init(
        _ credential: VerifiedSDJWT,
        holderKey: PublicKey,
        keyHandle: SecretBytes
    ) throws(SDJWTError) {
        guard let confirmation = credential["cnf"] else {
            throw SDJWTError(.missingHolderKey, "the credential is bound to no key", path: ["cnf"])
        }
        guard Self.holds(confirmation, of: holderKey) else {
            throw SDJWTError(.claimMismatch, "the credential is bound to another key than the wallet's", path: ["cnf"])
        }
        try self.init(credential, keyHandle: keyHandle)
    }

    /// Describes a copy of a bearer credential: one without `cnf`, which anybody who has it can present.
    ///
    /// - Parameter credential: The credential as `SDJWTVerifier.verifyForStorage` verified it, with all of its Disclosures.
    /// - Throws: `SDJWTError` with code `claimMismatch` for a credential that names a key, `missingClaim` for one without `vct`.
    public init(unbound credential: VerifiedSDJWT) throws(SDJWTError) {
        guard credential["cnf"] == nil else {
            throw SDJWTError(.claimMismatch, "the credential is bound to a key", path: ["cnf"])
        }
        try self.init(credential, keyHandle: SecretBytes([]))
    }

    private init(_ credential: VerifiedSDJWT, keyHandle: SecretBytes) throws(SDJWTError) {
        guard let type = credential.credentialType else {
            throw SDJWTError(.missingClaim, "a credential has a type", path: ["vct"])
        }
        let claims = JWTClaims(credential.claims)
        self.type = type
        self.keyHandle = keyHandle
        compact = try credential.sdJWT.compactSerialization()
        do throws(JOSEError) {
            validFrom = try claims.notBefore()
            validUntil = try claims.expirationTime()
        } catch {
            throw SDJWTError(.invalidClaim, error.message, path: error.path, cause: error)
        }
    }

    /// Returns `true` if `cnf` has the key, or only its name: that key was found when the credential was verified.
    private static func holds(_ confirmation: JSONValue, of key: PublicKey) -> Bool {
        switch try? JWTConfirmation(json: confirmation) {
        case .key(let jwk): (try? jwk.publicKey()) == key
        case .thumbprint(let thumbprint): (try? JWK(key).thumbprint()) == thumbprint
        case .keyID: true
        case nil: false
        }
    }
}
