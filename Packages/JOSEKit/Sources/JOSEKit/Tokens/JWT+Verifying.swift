public import CryptoCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension JWT {
    /// Verifies the token, layer by layer where tokens are nested (`cty` is `JWT`), and checks its type and claims (RFC 7519,
    /// section 7.2).
    ///
    /// - Parameters:
    ///   - policy: The caller's policy for every layer's signature.
    ///   - claimsPolicy: The caller's policy for type and claims.
    ///   - now: The time.
    ///   - limits: Limits for nested tokens and claims.
    ///   - key: The caller's trusted key for a layer's signature, the outermost first.
    /// - Throws: A ``JOSEError`` whose code says which check failed.
    public func verify(
        policy: JWSVerificationPolicy,
        claims claimsPolicy: JWTClaimsPolicy,
        at now: Date = Date(),
        limits: JOSELimits = .default,
        key: (JWSSignature) throws(JOSEError) -> JWSKey
    ) throws(JOSEError) -> VerifiedJWT {
        try within("JWT") { () throws(JOSEError) in
            let layers = try verifiedLayers(policy, claimsPolicy.maximumNesting, limits, key)
            let innermost = layers[layers.count - 1]
            let claims = try JWTClaims(decoding: innermost.payload, limits: limits)
            try claimsPolicy.require(claims, header: innermost.header, at: now)
            return VerifiedJWT(claims: claims, layers: layers, header: innermost.header)
        }
    }

    /// Verifies the token with one key, and checks its type and claims.
    ///
    /// - Parameters:
    ///   - key: The caller's trusted key.
    ///   - policy: The caller's policy for the signature.
    ///   - claimsPolicy: The caller's policy for type and claims.
    ///   - now: The time.
    ///   - limits: Limits for the claims.
    /// - Throws: A ``JOSEError`` whose code says which check failed.
    public func verify(
        with key: JWSKey,
        policy: JWSVerificationPolicy,
        claims claimsPolicy: JWTClaimsPolicy,
        at now: Date = Date(),
        limits: JOSELimits = .default
    ) throws(JOSEError) -> VerifiedJWT {
        try verify(policy: policy, claims: claimsPolicy, at: now, limits: limits) { _ throws(JOSEError) in key }
    }

    /// Verifies the token with a public key, and checks its type and claims.
    ///
    /// - Throws: A ``JOSEError`` whose code says which check failed.
    public func verify(
        with key: PublicKey,
        policy: JWSVerificationPolicy,
        claims claimsPolicy: JWTClaimsPolicy,
        at now: Date = Date()
    ) throws(JOSEError) -> VerifiedJWT {
        try verify(with: .publicKey(key), policy: policy, claims: claimsPolicy, at: now)
    }

    /// Verifies the token with a JWK, whose own restrictions are enforced, and checks its type and claims.
    ///
    /// - Throws: A ``JOSEError`` whose code says which check failed.
    public func verify(
        with key: JWK,
        policy: JWSVerificationPolicy,
        claims claimsPolicy: JWTClaimsPolicy,
        at now: Date = Date()
    ) throws(JOSEError) -> VerifiedJWT {
        try verify(with: .jwk(key), policy: policy, claims: claimsPolicy, at: now)
    }

    /// Verifies the token with a key of a set, and checks its type and claims.
    ///
    /// - Throws: A ``JOSEError`` whose code says which check failed.
    public func verify(
        with keys: JWKSet,
        policy: JWSVerificationPolicy,
        claims claimsPolicy: JWTClaimsPolicy,
        at now: Date = Date()
    ) throws(JOSEError) -> VerifiedJWT {
        try verify(with: .jwkSet(keys), policy: policy, claims: claimsPolicy, at: now)
    }

    private func verifiedLayers(
        _ policy: JWSVerificationPolicy,
        _ maximumNesting: Int,
        _ limits: JOSELimits,
        _ key: (JWSSignature) throws(JOSEError) -> JWSKey
    ) throws(JOSEError) -> [VerifiedJWS] {
        var layers: [VerifiedJWS] = []
        var token = self
        while true {
            guard layers.count < maximumNesting else {
                throw JOSEError(.nestedTooDeep, "tokens are nested deeper than \(maximumNesting)")
            }
            let layer = try token.jws.verify(with: key(token.jws.signature(at: 0)), policy: policy)
            layers.append(layer)
            guard try layer.holdsToken() else { return layers }
            token = try JWT(compact: layer.payload, limits: limits)
        }
    }
}

extension VerifiedJWS {
    /// Whether the payload is a token itself (RFC 7519, section 5.2).
    fileprivate func holdsToken() throws(JOSEError) -> Bool {
        try header.contentType().map { MediaType($0) == MediaType("JWT") } ?? false
    }
}
