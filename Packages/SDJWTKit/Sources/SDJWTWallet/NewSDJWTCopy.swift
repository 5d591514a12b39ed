public import CryptoCore
import JOSEKit
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
    /// The `aka_vcts`.
    let furtherTypes: [String]
    /// The credential in its compact serialization.
    let compact: String
    let validFrom: Date?
    let validUntil: Date?
    /// The wallet's handle of the private key; empty for a credential that names no key.
    public let keyHandle: SecretBytes

    /// Describes a copy that is bound to a key of the wallet's.
    ///
    /// - Parameters:
    ///   - credential: The credential with all of its Disclosures, verified by `SDJWTVerifier.verifyForStorage` for the public key that
    ///     the wallet asked the issuer to bind it to.
    ///   - keyHandle: The wallet's handle of the private key, such as the name of a key in hardware, up to 64 KiB; a private
    ///     key itself only where there is no better place.
    /// - Throws: `SDJWTError` with code `missingHolderKey` for a credential that names no key (`cnf`) or was verified for none,
    ///   `unexpectedKeyBinding` for a presentation, `missingClaim` for a credential without `vct`.
    public init(_ credential: VerifiedSDJWT, keyHandle: SecretBytes) throws(SDJWTError) {
        guard credential["cnf"] != nil else {
            throw SDJWTError(.missingHolderKey, "the credential is bound to no key", path: ["cnf"])
        }
        guard credential.holderKey != nil else {
            throw SDJWTError(.missingHolderKey, "the credential was verified for no key of the wallet", path: ["cnf"])
        }
        try self.init(storing: credential, keyHandle: keyHandle)
    }

    /// Describes a copy of a bearer credential: one without `cnf`, which anybody who has it can present.
    ///
    /// - Parameter credential: The credential as `SDJWTVerifier.verifyForStorage` verified it, with all of its Disclosures.
    /// - Throws: `SDJWTError` with code `claimMismatch` for a credential that names a key, `missingClaim` for one without `vct`.
    public init(unbound credential: VerifiedSDJWT) throws(SDJWTError) {
        guard credential["cnf"] == nil else {
            throw SDJWTError(.claimMismatch, "the credential is bound to a key", path: ["cnf"])
        }
        try self.init(storing: credential, keyHandle: SecretBytes([]))
    }

    private init(storing credential: VerifiedSDJWT, keyHandle: SecretBytes) throws(SDJWTError) {
        guard credential.keyBinding == nil else {
            throw SDJWTError(.unexpectedKeyBinding, "a presentation is no copy for a store")
        }
        guard let type = credential.credentialType else {
            throw SDJWTError(.missingClaim, "a credential has a type", path: ["vct"])
        }
        let claims = JWTClaims(credential.claims)
        self.type = type
        furtherTypes = credential.otherCredentialTypes
        self.keyHandle = keyHandle
        compact = try credential.sdJWT.compactSerialization()
        do throws(JOSEError) {
            validFrom = try claims.notBefore()
            validUntil = try claims.expirationTime()
        } catch {
            throw SDJWTError(.invalidClaim, error.message, path: error.path, cause: error)
        }
    }
}
