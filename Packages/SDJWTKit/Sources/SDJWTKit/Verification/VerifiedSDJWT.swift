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
    private let parts: Parts

    /// The SD-JWT as received.
    public var sdJWT: SDJWT { parts.sdJWT }
    /// The header that the issuer signed.
    public var header: JOSEHeader { parts.header }
    /// The processed payload.
    public var payload: SDJWTPayload { parts.payload }
    /// The key that the issuer signed with.
    public var issuerKey: PublicKey { parts.issuerKey }
    /// The same key with its restrictions (`use`, `key_ops`, `alg`), if it came as a JWK; nil for any other.
    public var issuerJWK: JWK? { parts.issuerJWK }
    /// The keys of the issuer among which its key was found, as they were published at the time of the verification; nil where
    /// the key was found in another way.
    public var issuerKeySet: JWKSet? { parts.issuerKeySet }
    /// The issuer's certificates from its own to the one below the anchor, where its key came from `x5c`.
    public var issuerCertificateChain: ValidatedCertificateChain? { parts.issuerCertificateChain }
    /// The types of credentials that the issuer is trusted for, by `vct`; nil for all.
    public var trustedCredentialTypes: Set<ExactText>? { parts.trustedTypes }
    /// The verified Key Binding JWT; nil if there was none.
    public var keyBinding: VerifiedKeyBinding? { parts.keyBinding }
    /// The key that the credential was found to be bound to; nil where that was not asked, whatever `cnf` says.
    ///
    /// It is the key of the Key Binding JWT, or the wallet's key that ``SDJWTVerifier/verifyForStorage(_:holderKey:)`` compared.
    public var holderKey: PublicKey? { parts.holderKey }
    /// The metadata of the credential's type, where they were processed.
    public var typeMetadata: TypeMetadata? { parts.typeMetadata }
    /// The status of a credential, where it was checked; never anything but valid.
    public var status: CredentialStatus? { parts.status }
    /// The time for which everything was checked.
    public var verificationTime: Date { parts.verificationTime }

    init(
        _ sdJWT: SDJWT,
        payload: SDJWTPayload,
        issuerJWS: VerifiedJWS,
        issuerKey: PublicKey,
        issuerKeySet: JWKSet?,
        issuerCertificateChain: ValidatedCertificateChain?,
        trustedTypes: Set<ExactText>?,
        keyBinding: VerifiedKeyBinding?,
        holderKey: PublicKey?,
        typeMetadata: TypeMetadata?,
        status: CredentialStatus?,
        verificationTime: Date
    ) {
        parts = Parts(
            sdJWT: sdJWT,
            header: issuerJWS.header,
            payload: payload,
            issuerKey: issuerKey,
            issuerJWK: issuerJWS.jwk,
            issuerKeySet: issuerKeySet,
            issuerCertificateChain: issuerCertificateChain,
            trustedTypes: trustedTypes,
            keyBinding: keyBinding,
            holderKey: holderKey,
            typeMetadata: typeMetadata,
            status: status,
            verificationTime: verificationTime
        )
    }

    /// The parts of a verified SD-JWT, on the heap, since they are passed on many times.
    private final class Parts: Sendable {
        let sdJWT: SDJWT
        let header: JOSEHeader
        let payload: SDJWTPayload
        let issuerKey: PublicKey
        let issuerJWK: JWK?
        let issuerKeySet: JWKSet?
        let issuerCertificateChain: ValidatedCertificateChain?
        let trustedTypes: Set<ExactText>?
        let keyBinding: VerifiedKeyBinding?
        let holderKey: PublicKey?
        let typeMetadata: TypeMetadata?
        let status: CredentialStatus?
        let verificationTime: Date

        init(
            sdJWT: SDJWT,
            header: JOSEHeader,
            payload: SDJWTPayload,
            issuerKey: PublicKey,
            issuerJWK: JWK?,
            issuerKeySet: JWKSet?,
            issuerCertificateChain: ValidatedCertificateChain?,
            trustedTypes: Set<ExactText>?,
            keyBinding: VerifiedKeyBinding?,
            holderKey: PublicKey?,
            typeMetadata: TypeMetadata?,
            status: CredentialStatus?,
            verificationTime: Date
        ) {
            self.sdJWT = sdJWT
            self.header = header
            self.payload = payload
            self.issuerKey = issuerKey
            self.issuerJWK = issuerJWK
            self.issuerKeySet = issuerKeySet
            self.issuerCertificateChain = issuerCertificateChain
            self.trustedTypes = trustedTypes
            self.keyBinding = keyBinding
            self.holderKey = holderKey
            self.typeMetadata = typeMetadata
            self.status = status
            self.verificationTime = verificationTime
        }
    }

    /// The claims, those that were disclosed among them.
    public var claims: JSONObject { payload.claims }

    /// The value of a claim at the top level, or nil if it is missing or withheld.
    public subscript(name: String) -> JSONValue? { payload[name] }

    /// The values that a path selects; empty if there are none or they are withheld.
    ///
    /// - Throws: ``SDJWTError/Code/claimPathMismatch`` if a step meets a value of another type than it demands.
    public func values(at path: ClaimPath) throws(SDJWTError) -> [JSONValue] {
        try payload.values(at: path)
    }

    /// The type of a credential (`vct`), or nil for any other SD-JWT.
    public var credentialType: String? { payload["vct"]?.stringValue }

    /// Further types of a credential (`aka_vcts`).
    public var otherCredentialTypes: [String] {
        payload["aka_vcts"]?.arrayValue?.compactMap(\.stringValue) ?? []
    }

    /// The issuer by its own account (`iss`), or nil if only its certificate names it; see ``issuerName``.
    public var issuer: String? { payload["iss"]?.stringValue }

    /// The name of the issuer that its key vouches for, or nil if nothing names it.
    ///
    /// For a key from `x5c` it is the subject of the certificate, whatever `iss` says, unless the certificate names `iss` in its
    /// subjectAltName. For any other key it is `iss`, by which the key was found.
    public var issuerName: String? {
        guard let leaf = issuerCertificateChain?.leaf else { return issuer }
        if let issuer, (try? leaf.names(issuer: issuer)) == true { return issuer }
        return leaf.subject.description
    }
}

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
