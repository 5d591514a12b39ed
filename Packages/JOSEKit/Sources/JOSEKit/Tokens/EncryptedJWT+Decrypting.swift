import JSONKit
public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The claims of a token that was encrypted and not signed, and whose type and claims passed the policy.
///
/// Any owner of the key may have written them; with a public key that is anyone.
public struct DecryptedJWT: Sendable {
    /// The claims.
    public let claims: JWTClaims

    /// The decrypted object.
    public let layer: DecryptedJWE

    init(claims: JWTClaims, layer: DecryptedJWE) {
        self.claims = claims
        self.layer = layer
    }
}

extension EncryptedJWT {
    /// Decrypts a token that was signed and then encrypted; the signed token is not verified yet.
    ///
    /// The header of the encryption stays with the token (``JWT/encryption``), and its verification refuses claims that
    /// this header repeats with other values.
    ///
    /// - Parameters:
    ///   - key: The caller's key.
    ///   - policy: The caller's policy for the encryption.
    ///   - limits: Limits for the signed token.
    /// - Throws: ``JOSEError/Code/wrongType`` if `cty` does not say that a token is inside (RFC 7519, section 5.2), and
    ///   the errors of decryption and reading.
    public func signedToken(
        with key: JWEKey,
        policy: JWEDecryptionPolicy,
        limits: JOSELimits = .default
    ) async throws(JOSEError) -> JWT {
        let decrypted = try await decrypted(key, policy)
        return try within("JWT") { () throws(JOSEError) in
            guard try decrypted.holdsToken() else {
                throw JOSEError(.wrongType, "the content is not said to be a token", path: ["cty"])
            }
            return try JWT(JWS(compact: decrypted.plaintext, limits: limits), in: decrypted)
        }
    }

    /// The checks of a token that is encrypted and not signed, in their order: the decryption, the claims set, the claims
    /// that the header repeats (RFC 7519, section 5.3), its type and claims.
    public static let checks: [Check] = [.decryption, .structure, .repeatedClaims] + JWTClaimsPolicy.checks

    /// Decrypts a token that is not signed, and checks its type and claims.
    ///
    /// - Parameters:
    ///   - key: The caller's key.
    ///   - policy: The caller's policy for the encryption.
    ///   - claimsPolicy: The caller's policy for type and claims.
    ///   - time: The time.
    ///   - limits: Limits for the claims.
    public func decrypt(
        with key: JWEKey,
        policy: JWEDecryptionPolicy,
        claims claimsPolicy: JWTClaimsPolicy,
        at time: Date,
        limits: JOSELimits = .default
    ) async -> Verification<DecryptedJWT> {
        var checklist = Checklist(Self.checks, at: time)
        let decrypted = await checklist.check(.decryption) { () async throws(CheckFault) in
            do throws(JOSEError) { return try await jwe.decrypt(with: key, policy: policy) } catch { throw error.fault }
        }
        guard let decrypted else { return checklist.verification(of: nil) }
        let claims = checklist.check(.structure) { () throws(CheckFault) in
            try CheckFault.converting { () throws(JOSEError) in
                guard try !decrypted.holdsToken() else {
                    throw JOSEError(.wrongType, "the content is a token of its own", path: ["cty"])
                }
                return try JWTClaims(decoding: decrypted.plaintext, limits: limits)
            }
        }
        guard let claims else { return checklist.verification(of: nil) }
        checklist.check(.repeatedClaims) { () throws(CheckFault) in
            try decrypted.requireAgreement(with: claims)
        }
        claimsPolicy.check(claims, header: decrypted.header, in: &checklist)
        return checklist.verification(of: DecryptedJWT(claims: claims, layer: decrypted))
    }

    private func decrypted(_ key: JWEKey, _ policy: JWEDecryptionPolicy) async throws(JOSEError) -> DecryptedJWE {
        do throws(JOSEError) {
            return try await jwe.decrypt(with: key, policy: policy)
        } catch {
            throw error.inside("JWT")
        }
    }
}

extension DecryptedJWE {
    /// Returns `true` if the content is a token itself (RFC 7519, section 5.2).
    fileprivate func holdsToken() throws(JOSEError) -> Bool {
        try header.contentType().map { MediaType($0) == MediaType("JWT") } ?? false
    }

    /// Refuses claims that the header repeats with other values (RFC 7519, section 5.3).
    @_spi(Layers) public func requireAgreement(with claims: JWTClaims) throws(CheckFault) {
        for name in ["iss", "sub", "aud"] {
            guard let repeated = header[name], repeated != claims[name] else { continue }
            throw .failed(.claimMismatch, "the claim differs between header and content", path: [name])
        }
    }
}

extension Check {
    /// The content can be decrypted, and is authentic.
    public static let decryption: Check = "decryption"
    /// Claims that the header repeats are the same in the content.
    public static let repeatedClaims: Check = "repeatedClaims"
}
