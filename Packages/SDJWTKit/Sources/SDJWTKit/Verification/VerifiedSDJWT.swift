public import CryptoCore
public import JOSEKit
public import JSONKit
public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An SD-JWT whose every check holds: its claims can be acted on.
///
/// Only ``SDJWTVerifier`` makes values of this type.
public struct VerifiedSDJWT: Sendable {
    /// The header that the issuer signed.
    public let header: JOSEHeader
    /// The processed payload.
    public let payload: SDJWTPayload
    /// The key that the issuer signed with.
    public let issuerKey: PublicKey
    /// The same key with its restrictions (`use`, `key_ops`, `alg`), if it came as a JWK; nil for any other.
    public let issuerJWK: JWK?
    /// The issuer's certificates from its own to the one below the anchor, where its key came from `x5c`.
    public let issuerCertificateChain: ValidatedCertificateChain?
    /// The verified Key Binding JWT; nil if there was none.
    public let keyBinding: VerifiedKeyBinding?
    /// The metadata of the credential's type, where they were processed.
    public let typeMetadata: TypeMetadata?
    /// The status of a credential, where it was checked; never anything but valid.
    public internal(set) var status: CredentialStatus?
    /// The time for which everything was checked.
    public let verificationTime: Date

    /// The claims, those that were disclosed among them.
    public var claims: JSONObject { payload.claims }

    /// The value of a claim at the top level, or nil if it is missing or withheld.
    public subscript(name: String) -> JSONValue? { payload[name] }

    /// The values that a path selects; empty if there are none or they are withheld.
    ///
    /// - Throws: ``SDJWTError/Code/claimPathMismatch`` where a step meets a value of another type than it demands.
    public func values(at path: ClaimPath) throws(SDJWTError) -> [JSONValue] {
        try payload.values(at: path)
    }

    /// The type of a credential (`vct`), or nil for any other SD-JWT.
    public var credentialType: String? { payload["vct"]?.stringValue }

    /// Further types of a credential (`aka_vcts`).
    public var otherCredentialTypes: [String] {
        payload["aka_vcts"]?.arrayValue?.compactMap(\.stringValue) ?? []
    }

    /// The issuer (`iss`), or nil where only its certificate names it.
    public var issuer: String? { payload["iss"]?.stringValue }
}
