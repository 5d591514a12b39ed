import CBORKit
import COSEKit
import CryptoCore
import Foundation
import TestSupport
import Testing

@Suite struct CWTClaimsTests {
    @Test func claimsAreWrittenDeterministically() {
        let claims = CWTClaims(
            issuer: "i",
            audience: ["a", "b"],
            expirationTime: Date(timeIntervalSince1970: 10),
            notBefore: Date(timeIntervalSince1970: 1.5),
            issuedAt: Date(timeIntervalSince1970: -1)
        )
        #expect(claims.encoded().hex == "a5016169038261616162040a05f93e000620")
    }

    @Test func timesAreNumbersWithoutTag() throws {
        func expiration(_ value: CBOR) throws -> Date? { try (CWTClaims([4: value])).expirationTime() }
        #expect(try expiration(1_443_944_944) == Date(timeIntervalSince1970: 1_443_944_944))
        #expect(try expiration(-1) == Date(timeIntervalSince1970: -1))
        #expect(try expiration(.double(1.25)) == Date(timeIntervalSince1970: 1.25))
        expectRefusal(.invalidClaim, at: "exp") { try expiration(.tagged(1, 5)) }
        expectRefusal(.invalidClaim, at: "exp") { try expiration("5") }
        expectRefusal(.invalidClaim, at: "exp") { try expiration(.double(.nan)) }
        expectRefusal(.invalidClaim, at: "exp") { try expiration(.double(.infinity)) }
        expectRefusal(.invalidClaim, at: "exp") { try expiration(.unsigned(.max)) }
    }

    @Test func anAudienceIsOneTextOrSeveral() throws {
        #expect(try CWTClaims([3: "a"]).audience() == ["a"])
        #expect(try CWTClaims([3: ["a", "b"]]).audience() == ["a", "b"])
        #expect(try CWTClaims([3: []]).audience() == [])
        #expect(try CWTClaims([:]).audience() == nil)
        expectRefusal(.invalidClaim, at: "aud") { try CWTClaims([3: 1]).audience() }
        expectRefusal(.invalidClaim, at: "aud") { try CWTClaims([3: ["a", 1]]).audience() }
    }

    @Test func claimsHaveTheirTypes() throws {
        expectRefusal(.invalidClaim, at: "iss") { try CWTClaims([1: 1]).issuer() }
        expectRefusal(.invalidClaim, at: "sub") { try CWTClaims([2: .bytes([1])]).subject() }
        expectRefusal(.invalidClaim, at: "cti") { try CWTClaims([7: "1"]).id() }
        expectRefusal(.invalidClaim, at: "nbf") { try CWTClaims([5: "1"]).notBefore() }
        expectRefusal(.invalidClaim, at: "iat") { try CWTClaims([6: .null]).issuedAt() }
    }

    @Test func receivedClaimsKeepTheirBytes() throws {
        let received = try bytes("bf 1803 6161 01 7f6169ff ff")
        var claims = try CWTClaims(decoding: received[...])
        #expect(claims.encoded() == received)
        #expect(try claims.issuer() == "i")
        #expect(try claims.view(.claimAudience)?.text() == "a")
        claims[.claimAudience] = nil
        #expect(claims.encoded().hex == "a1017f6169ff")
    }

    @Test func aConfirmationKeyComesBack() throws {
        let key = try COSEKey(publicKey: TestKeys.p256.get().publicKey)
        var claims = CWTClaims(subject: "s")
        try claims.setConfirmation(.key(key))
        let received = try CWTClaims(decoding: claims.encoded()[...])
        guard case .key(let found)? = try received.confirmation() else {
            Issue.record("no key")
            return
        }
        #expect(try found.publicKey() == key.publicKey())

        try claims.setConfirmation(.keyID([1, 2]))
        guard case .keyID([1, 2])? = try claims.confirmation() else {
            Issue.record("no identifier")
            return
        }
        try claims.setConfirmation(.thumbprint(key.thumbprint()))
        guard case .thumbprint(let thumbprint)? = try claims.confirmation() else {
            Issue.record("no thumbprint")
            return
        }
        #expect(try thumbprint == key.thumbprint())
    }

    @Test func anEncryptedConfirmationKeyComesBack() throws {
        let secret = COSEKey(symmetricKey: TestKeys.symmetric(32))
        let encrypted = try COSEEncrypt0.encrypt(
            secret.encoded(),
            headers: COSEHeaders(protected: [.alg: 1]),
            with: TestKeys.symmetric(16)
        )
        var claims = CWTClaims()
        try claims.setConfirmation(.encryptedKey(.encrypt0(encrypted)))
        guard case .encryptedKey(.encrypt0(let found))? = try claims.confirmation() else {
            Issue.record("no encrypted key")
            return
        }
        let decrypted = try found.decrypt(with: TestKeys.symmetric(16), policy: [.a128GCM])
        #expect(try COSEKey(decoding: decrypted.payload).symmetricKey() == TestKeys.symmetric(32))
        // The tag is optional (RFC 8747 section 3.1).
        let untagged: CBOR = [8: [2: try CBOR(decoding: encrypted.encoded(tagged: false))]]
        guard case .encryptedKey(.encrypt0(let bare))? = try CWTClaims(decoding: untagged.encoded()).confirmation()
        else {
            Issue.record("no encrypted key")
            return
        }
        #expect(try bare.decrypt(with: TestKeys.symmetric(16), policy: [.a128GCM]).payload == decrypted.payload)
    }

    @Test func aConfirmationHasOneMethod() throws {
        func confirmation(_ hex: String) throws -> CWTConfirmation? {
            try CWTClaims(decoding: bytes("a108 \(hex)")[...]).confirmation()
        }
        expectRefusal(.invalidClaim, at: "cnf") { try confirmation("a0") }
        expectRefusal(.invalidClaim, at: "cnf") { try confirmation("a11863 00") }
        expectRefusal(.invalidClaim, at: "cnf") { try confirmation("a2034101 054101") }
        expectRefusal(.invalidClaim, at: "kid") { try confirmation("a103 00") }
        expectRefusal(.invalidKey) { try confirmation("a101a0") }
        expectRefusal(.wrongTag) { try confirmation("a10280") }
        guard case .key? = try confirmation("a2 01 a201042041 01 034101") else {
            Issue.record("a key with its identifier")
            return
        }
        #expect(try CWTClaims([:]).confirmation() == nil)
    }
}

extension CWTClaims {
    fileprivate init(_ claims: [COSELabel: CBOR]) {
        self.init()
        for (label, value) in claims { self[label] = value }
    }
}
