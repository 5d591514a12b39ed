import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import Testing

@Suite struct JWTTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    @Test func claimsComeFromVerification() async throws {
        let signer = try TestKeys.es256()
        var claims: JWTClaims = ["iss": "https://issuer.example", "sub": "alice"]
        claims.setAudience(["https://me.example"])
        claims.setIssuedAt(now)
        claims.setExpirationTime(now + 60)
        let token = try await JWT.sign(claims, with: signer)
        let received = try JWT(compact: token.compactSerialization())
        #expect(try received.unverifiedIssuer() == "https://issuer.example")
        let verified = try received.verify(
            with: signer.publicKey,
            policy: [.es256],
            claims: JWTClaimsPolicy(issuers: ["https://issuer.example"], audience: .named("https://me.example")),
            at: now
        ).get()
        #expect(try verified.claims.subject() == "alice")
        #expect(try verified.claims.expirationTime() == now + 60)
        #expect(try verified.header.type() == "JWT")
    }

    @Test func nestedTokensAreVerifiedLayerByLayer() async throws {
        let inner = try TestKeys.es256()
        let outer = try TestKeys.signer(for: .ed25519)
        let token = try await JWT.sign(["sub": "alice"], with: inner)
        let nested = try await JWS.sign(
            Array(token.compactSerialization().utf8),
            header: ["alg": "EdDSA", "cty": "JWT"],
            with: outer
        )
        let received = try JWT(compact: nested.compactSerialization())
        func verify(_ claims: JWTClaimsPolicy) -> Verification<VerifiedJWT> {
            received.verify(policy: [.es256, .edDSA], claims: claims, at: now) { signature throws(JOSEError) in
                try signature.header.signatureAlgorithm() == .edDSA
                    ? .publicKey(outer.publicKey) : .publicKey(inner.publicKey)
            }
        }
        let verified = try verify(JWTClaimsPolicy()).get()
        #expect(verified.layers.map(\.algorithm) == [.edDSA, .es256])
        #expect(try verified.claims.subject() == "alice")
        verify(JWTClaimsPolicy(maximumNesting: 1)).expectRefusal("nestedTooDeep")
        verify(JWTClaimsPolicy(maximumNesting: 0)).expectRefusal("nestedTooDeep")
    }
}
