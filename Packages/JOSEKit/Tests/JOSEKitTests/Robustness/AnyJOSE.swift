import CryptoCore
import Foundation
import JOSEKit
import JSONKit

/// Reads bytes as whatever object of JOSE they may be, and looks into every part of it.
///
/// The fuzz targets read with the same source.
enum AnyJOSE {
    private static let everything = JWSVerificationPolicy(
        algorithms: Set(JWSAlgorithm.all),
        understoodParameters: ["exp"],
        allowsUnprotectedAlgorithm: true
    )

    private static func secret(_ length: Int) -> SecretBytes { SecretBytes([UInt8](repeating: 7, count: length)) }

    /// Reads a JWS, a JWE, a key, a set of keys or claims, in every form; throws what the last reading throws.
    static func explore(_ bytes: [UInt8]) throws {
        if let message = try? JWS(compact: bytes) { explore(message) }
        if let message = try? JWE(compact: bytes) { explore(message) }
        if let message = try? JWS(json: bytes) { explore(message) }
        if let message = try? JWE(json: bytes) { explore(message) }
        if let key = try? JWK(decoding: bytes) { explore(key) }
        if let claims = try? JWTClaims(decoding: bytes) { explore(claims) }
        for key in try JWKSet(decoding: bytes).keys { explore(key) }
    }

    static func explore(_ message: JWS) {
        for (index, signature) in message.signatures.enumerated() {
            explore(signature.header)
            _ = try? message.signingInput(signatureAt: index)
            for key in [JWSKey.symmetric(secret(64)), .jwkSet(JWKSet([]))] {
                _ = try? message.verify(signatureAt: index, with: key, policy: everything, at: .distantPast)
            }
        }
        _ = try? message.compactSerialization()
        _ = try? message.flattenedSerialization()
        _ = try? message.generalSerialization()
        if let token = try? JWT(message) { _ = try? token.unverifiedIssuer() }
    }

    static func explore(_ message: JWE) {
        for recipient in message.recipients { explore(recipient.header) }
        _ = try? message.compactSerialization()
        _ = try? message.flattenedSerialization()
        _ = message.generalSerialization()
    }

    static func explore(_ header: JOSEHeader) {
        _ = header.description
        _ = try? header.signatureAlgorithm()
        _ = try? header.keyManagementAlgorithm()
        _ = try? header.contentEncryption()
        _ = try? header.keyID()
        _ = try? header.type()
        _ = try? header.contentType()
        _ = try? header.critical()
        _ = try? header.jwkSetURL()
        _ = try? header.certificateURL()
        _ = try? header.certificateChain()
        _ = try? header.certificateThumbprint()
        _ = try? header.certificateSHA1Thumbprint()
        _ = try? header.agreementPartyUInfo()
        _ = try? header.agreementPartyVInfo()
        if let key = try? header.jwk() { explore(key) }
        if let key = try? header.ephemeralPublicKey() { explore(key) }
    }

    static func explore(_ key: JWK) {
        _ = key.description
        _ = key.thumbprintURI()
        _ = key.encoded()
        _ = try? key.publicKey()
        _ = try? key.signer()
    }

    static func explore(_ claims: JWTClaims) {
        _ = JWTClaimsPolicy(nonce: "n", maximumAge: 1).verify(claims, header: JOSEHeader(), at: .distantPast)
        _ = try? claims.confirmation()
        _ = try? claims.tokenID()
    }
}
