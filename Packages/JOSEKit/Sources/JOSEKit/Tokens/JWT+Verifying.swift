public import CryptoCore
public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The claims of a token whose every signature was verified and whose type and claims passed the policy.
///
/// Only the verifications of ``JWT`` make values of this type.
public struct VerifiedJWT: Sendable {
    /// The claims.
    public let claims: JWTClaims

    /// The verified objects, from the outermost to the one that holds the claims.
    public let layers: [VerifiedJWS]

    /// The protected header of the object that holds the claims.
    public let header: JOSEHeader

    /// The encrypted object that held the token, with its header; nil for a token that was not encrypted.
    ///
    /// The header says how and for which key the token was encrypted. Any owner of that key may have written it.
    public let encryption: DecryptedJWE?

    init(claims: JWTClaims, layers: [VerifiedJWS], header: JOSEHeader, encryption: DecryptedJWE?) {
        self.claims = claims
        self.layers = layers
        self.header = header
        self.encryption = encryption
    }
}

extension JWT {
    /// The checks of a token, in their order: the signatures of every layer, the claims set, the claims that the header of
    /// an encrypted token repeats (RFC 7519, section 5.3), its type and claims.
    public static let checks: [Check] = [.signature, .structure, .repeatedClaims] + JWTClaimsPolicy.checks

    /// Verifies the token, layer by layer where tokens are nested (`cty` is `JWT`), and checks its type and claims (RFC 7519,
    /// section 7.2).
    ///
    /// - Parameters:
    ///   - policy: The caller's policy for every layer's signature.
    ///   - claimsPolicy: The caller's policy for type and claims.
    ///   - time: The time.
    ///   - limits: Limits for nested tokens and claims.
    ///   - key: The caller's trusted key for a layer's signature, the outermost first.
    public func verify(
        policy: JWSVerificationPolicy,
        claims claimsPolicy: JWTClaimsPolicy,
        at time: Date,
        limits: JOSELimits = .default,
        key: (JWSSignature) throws -> JWSKey
    ) -> Verification<VerifiedJWT> {
        var checklist = Checklist(Self.checks, at: time)
        let layers = checklist.check(.signature) { () throws(CheckFault) in
            try CheckFault.converting { () throws(JOSEError) in
                try verifiedLayers(policy, claimsPolicy.maximumNesting, limits, at: time) {
                    signature throws(JOSEError) in
                    try JOSEError.ofCaller { try key(signature) }
                }
            }
        }
        guard let layers, let innermost = layers.last else { return checklist.verification(of: nil) }
        for deviation in layers.flatMap(\.deviations) { checklist.add(deviation) }
        let claims = checklist.check(.structure) { () throws(CheckFault) in
            try CheckFault.converting { () throws(JOSEError) in
                try JWTClaims(decoding: innermost.payload, limits: limits)
            }
        }
        guard let claims else { return checklist.verification(of: nil) }
        checklist.check(.repeatedClaims) { () throws(CheckFault) in
            guard let encryption else { throw .notApplicable("the token was not encrypted") }
            try encryption.requireAgreement(with: claims)
        }
        claimsPolicy.check(claims, header: innermost.header, in: &checklist)
        return checklist.verification(
            of: VerifiedJWT(claims: claims, layers: layers, header: innermost.header, encryption: encryption)
        )
    }

    /// Verifies the token with one key, and checks its type and claims.
    ///
    /// - Parameters:
    ///   - key: The caller's trusted key.
    ///   - policy: The caller's policy for the signature.
    ///   - claimsPolicy: The caller's policy for type and claims.
    ///   - time: The time.
    ///   - limits: Limits for the claims.
    public func verify(
        with key: JWSKey,
        policy: JWSVerificationPolicy,
        claims claimsPolicy: JWTClaimsPolicy,
        at time: Date,
        limits: JOSELimits = .default
    ) -> Verification<VerifiedJWT> {
        verify(policy: policy, claims: claimsPolicy, at: time, limits: limits) { _ throws(JOSEError) in key }
    }

    /// Verifies the token with a public key, and checks its type and claims.
    public func verify(
        with key: PublicKey,
        policy: JWSVerificationPolicy,
        claims claimsPolicy: JWTClaimsPolicy,
        at time: Date
    ) -> Verification<VerifiedJWT> {
        verify(with: .publicKey(key), policy: policy, claims: claimsPolicy, at: time)
    }

    /// Verifies the token with a JWK, whose own restrictions are enforced, and checks its type and claims.
    public func verify(
        with key: JWK,
        policy: JWSVerificationPolicy,
        claims claimsPolicy: JWTClaimsPolicy,
        at time: Date
    ) -> Verification<VerifiedJWT> {
        verify(with: .jwk(key), policy: policy, claims: claimsPolicy, at: time)
    }

    /// Verifies the token with a key of a set, and checks its type and claims.
    public func verify(
        with keys: JWKSet,
        policy: JWSVerificationPolicy,
        claims claimsPolicy: JWTClaimsPolicy,
        at time: Date
    ) -> Verification<VerifiedJWT> {
        verify(with: .jwkSet(keys), policy: policy, claims: claimsPolicy, at: time)
    }

    private func verifiedLayers(
        _ policy: JWSVerificationPolicy,
        _ maximumNesting: Int,
        _ limits: JOSELimits,
        at time: Date,
        _ key: (JWSSignature) throws(JOSEError) -> JWSKey
    ) throws(JOSEError) -> [VerifiedJWS] {
        var layers: [VerifiedJWS] = []
        var token = self
        while true {
            guard layers.count < maximumNesting else {
                throw JOSEError(.nestedTooDeep, "tokens are nested deeper than \(maximumNesting)")
            }
            let layer = try token.jws.verify(with: key(token.jws.signature(at: 0)), policy: policy, at: time)
            layers.append(layer)
            guard try layer.holdsToken() else { return layers }
            token = try JWT(compact: layer.payload, limits: limits)
        }
    }
}

extension VerifiedJWS {
    /// Returns `true` if the payload is a token itself (RFC 7519, section 5.2).
    fileprivate func holdsToken() throws(JOSEError) -> Bool {
        try header.contentType().map { MediaType($0) == MediaType("JWT") } ?? false
    }
}
