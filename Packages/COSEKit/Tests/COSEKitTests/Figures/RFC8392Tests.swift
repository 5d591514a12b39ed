import CBORKit
import COSEKit
import CryptoCore
import Foundation
import TestSupport
import Testing

@Suite struct RFC8392Tests {
    /// A time at which the tokens of the appendix are valid.
    private let now = Date(timeIntervalSince1970: 1_443_944_944)
    private let policy = CWTClaimsPolicy(
        issuers: ["coap://as.example.com"],
        subject: "erikw",
        audience: .named("coap://light.example.com"),
        requiredClaims: [.claimExpirationTime, .claimID]
    )

    private func ecdsaKey() throws -> CWTKey {
        .signature(try COSEKey(decoding: bytes(RFC8392Figures.ecdsaKey)).publicKey())
    }

    private func key128() throws -> CWTKey {
        .symmetric(try COSEKey(decoding: bytes(RFC8392Figures.symmetricKey128)).symmetricKey())
    }

    private func key256() throws -> CWTKey {
        .symmetric(SecretBytes(try bytes(RFC8392Figures.symmetricKey256)))
    }

    private func expectClaims(_ claims: CWTClaims) throws {
        #expect(try claims.issuer() == "coap://as.example.com")
        #expect(try claims.subject() == "erikw")
        #expect(try claims.audience() == ["coap://light.example.com"])
        #expect(try claims.expirationTime() == Date(timeIntervalSince1970: 1_444_064_944))
        #expect(try claims.notBefore() == Date(timeIntervalSince1970: 1_443_944_944))
        #expect(try claims.issuedAt() == Date(timeIntervalSince1970: 1_443_944_944))
        #expect(try claims.id() == [0x0b, 0x71])
        #expect(try claims.encoded() == bytes(RFC8392Figures.claims))
    }

    @Test func theSignedTokenOfA3Verifies() async throws {
        let (token, key) = (try CWT(decoding: bytes(RFC8392Figures.a3)), try ecdsaKey())
        let verified = try await token.verify(policy: [.es256], claims: policy, at: now) { _ in key }.get()
        try expectClaims(verified.claims)
        #expect(verified.layers.count == 1)
    }

    @Test func theMACedTokenOfA4VerifiesUnderItsTag61() async throws {
        let (token, key) = (try CWT(decoding: bytes(RFC8392Figures.a4)), try key256())
        let verified = try await token.verify(policy: [.hmac256_64], claims: policy, at: now) { _ in key }.get()
        try expectClaims(verified.claims)
        #expect(try token.encoded(tagged: true) == bytes(RFC8392Figures.a4))
    }

    @Test(EngineCoverage.demanded) func theEncryptedTokenOfA5Decrypts() async throws {
        let (token, key) = (try CWT(decoding: bytes(RFC8392Figures.a5)), try key128())
        let verified = try await token.verify(policy: [.aesCCM_16_64_128], claims: policy, at: now) { _ in key }.get()
        try expectClaims(verified.claims)
    }

    @Test(EngineCoverage.demanded) func theNestedTokenOfA6IsOpenedLayerByLayer() async throws {
        let token = try CWT(decoding: bytes(RFC8392Figures.a6))
        let (outer, inner) = (try key128(), try ecdsaKey())
        let verified = try await token.verify(policy: [.aesCCM_16_64_128, .es256], claims: policy, at: now) {
            message throws(COSEError) in
            message.messageType == .encrypt0 ? outer : inner
        }
        .get()
        try expectClaims(verified.claims)
        #expect(verified.layers.map(\.algorithm) == [.aesCCM_16_64_128, .es256])

        var shallow = policy
        shallow.maximumNesting = 1
        await token.verify(policy: [.aesCCM_16_64_128, .es256], claims: shallow, at: now) {
            message throws(COSEError) in
            message.messageType == .encrypt0 ? outer : inner
        }
        .expectRefusal("nestedTooDeep")
    }

    @Test func theFloatingPointTimeOfA7IsRead() async throws {
        let (token, key) = (try CWT(decoding: bytes(RFC8392Figures.a7)), try key256())
        let later = Date(timeIntervalSince1970: 1_443_944_945)
        let verified = try await token.verify(policy: [.hmac256_64], claims: CWTClaimsPolicy(), at: later) { _ in key }
            .get()
        #expect(try verified.claims.issuedAt() == Date(timeIntervalSince1970: 1_443_944_944.5))
        #expect(verified.claims.labels == [.claimIssuedAt])
    }

    @Test func theKeyOfA21IsForItsAlgorithmOnly() throws {
        let key = try COSEKey(decoding: bytes(RFC8392Figures.symmetricKey128))
        #expect(key.algorithm == .aesCCM_16_64_128)
        let message = try COSEEncrypt0.encrypt(
            content,
            headers: COSEHeaders(protected: [.alg: .integer(COSEAlgorithm.a128GCM.rawValue)]),
            with: key.symmetricKey()
        )
        expectRefusal(.keyRestricted, at: "alg") { try message.decrypt(with: key, policy: [.a128GCM]) }
    }
}
