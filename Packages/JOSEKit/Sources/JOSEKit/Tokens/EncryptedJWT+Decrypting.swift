import JSONKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension EncryptedJWT {
    /// Decrypts a token that was signed and then encrypted; the signed token is not verified yet.
    ///
    /// - Parameters:
    ///   - key: The caller's key.
    ///   - policy: The caller's policy for the encryption.
    ///   - limits: Limits for the signed token.
    /// - Throws: ``JOSEError/Code/wrongType`` where `cty` does not say that a token is inside (RFC 7519, section 5.2), and
    ///   what decryption and reading throw.
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
            return try JWT(compact: decrypted.plaintext, limits: limits)
        }
    }

    /// Decrypts a token that is not signed, and checks its type and claims.
    ///
    /// - Parameters:
    ///   - key: The caller's key.
    ///   - policy: The caller's policy for the encryption.
    ///   - claimsPolicy: The caller's policy for type and claims.
    ///   - now: The time.
    ///   - limits: Limits for the claims.
    /// - Throws: ``JOSEError/Code/wrongType`` where `cty` says that a token is inside,
    ///   ``JOSEError/Code/claimMismatch`` where a claim that the header repeats differs (RFC 7519, section 5.3), and what
    ///   decryption and the checks throw.
    public func decrypt(
        with key: JWEKey,
        policy: JWEDecryptionPolicy,
        claims claimsPolicy: JWTClaimsPolicy,
        at now: Date = Date(),
        limits: JOSELimits = .default
    ) async throws(JOSEError) -> DecryptedJWT {
        let decrypted = try await decrypted(key, policy)
        return try within("JWT") { () throws(JOSEError) in
            guard try !decrypted.holdsToken() else {
                throw JOSEError(.wrongType, "the content is a token of its own", path: ["cty"])
            }
            let claims = try JWTClaims(decoding: decrypted.plaintext, limits: limits)
            for name in ["iss", "sub", "aud"] {
                guard let repeated = decrypted.header[name], repeated != claims[name] else { continue }
                throw JOSEError(.claimMismatch, "the claim differs between header and content", path: [name])
            }
            try claimsPolicy.require(claims, header: decrypted.header, at: now)
            return DecryptedJWT(claims: claims, layer: decrypted)
        }
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
    /// Whether the content is a token itself (RFC 7519, section 5.2).
    fileprivate func holdsToken() throws(JOSEError) -> Bool {
        try header.contentType().map { MediaType($0) == MediaType("JWT") } ?? false
    }
}
