public import CryptoCore
public import JOSEKit
public import JSONKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A Key Binding JWT whose every check holds.
///
/// Only ``SDJWTVerifier`` makes values of this type.
public struct VerifiedKeyBinding: Sendable {
    /// The holder's key.
    public let key: PublicKey
    /// The holder's key with its restrictions (`use`, `key_ops`, `alg`), for further verifications.
    public let jwk: JWK
    /// The claims.
    public let claims: JSONObject
    /// When it was made, as the holder says.
    public let issuedAt: Date
}
