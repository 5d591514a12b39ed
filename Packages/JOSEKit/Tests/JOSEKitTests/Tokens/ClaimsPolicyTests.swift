import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import Testing

@Suite struct ClaimsPolicyTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func refusal(
        _ claims: JWTClaims,
        _ policy: JWTClaimsPolicy = JWTClaimsPolicy(clockSkew: 0),
        header: JOSEHeader = JOSEHeader()
    ) -> Reason? {
        policy.verify(claims, header: header, at: now).refusal?.reason
    }

    @Test func timesAreCheckedToTheSecond() throws {
        #expect(refusal(["exp": 1_800_000_001]) == nil)
        #expect(refusal(["exp": 1_800_000_000]) == .expired)
        #expect(try refusal(JWTClaims(decoding: Array(#"{"exp":1800000000.5}"#.utf8))) == nil)
        #expect(refusal(["nbf": 1_800_000_000]) == nil)
        #expect(refusal(["nbf": 1_800_000_001]) == .notYetValid)
        #expect(refusal(["iat": 1_800_000_000]) == nil)
        #expect(refusal(["iat": 1_800_000_001]) == .issuedInFuture)
    }

    @Test func clockSkewMovesEveryBound() {
        let policy = JWTClaimsPolicy()
        #expect(refusal(["exp": 1_799_999_941], policy) == nil)
        #expect(refusal(["exp": 1_799_999_940], policy) == .expired)
        #expect(refusal(["nbf": 1_800_000_060], policy) == nil)
        #expect(refusal(["nbf": 1_800_000_061], policy) == .notYetValid)
        #expect(refusal(["iat": 1_800_000_061], policy) == .issuedInFuture)
    }

    @Test func ageIsBounded() {
        let policy = JWTClaimsPolicy(maximumAge: 100, clockSkew: 0)
        #expect(refusal(["iat": 1_799_999_900], policy) == nil)
        #expect(refusal(["iat": 1_799_999_899], policy) == .tooOld)
        #expect(refusal([:], policy) == .missingClaim)
    }

    @Test(arguments: ["exp", "nbf", "iat"])
    func datesAreNumbers(name: String) {
        for value in ["1800000000", true, nil, [1]] as [JSONValue] {
            #expect(refusal(JWTClaims([name: value])) == .invalidClaim)
        }
    }

    @Test func hugeNumbersAreNoDates() throws {
        #expect(try refusal(JWTClaims(decoding: Array(#"{"exp":1e400}"#.utf8))) == .invalidClaim)
        #expect(try refusal(JWTClaims(decoding: Array(#"{"exp":99999999999999999999}"#.utf8))) == nil)
        #expect(try refusal(JWTClaims(decoding: Array(#"{"exp":-1}"#.utf8))) == .expired)
    }

    @Test func namesAreComparedAsBytes() {
        // The same letter in its two spellings.
        let (one, other) = ("caf\u{e9}", "cafe\u{301}")
        #expect(one == other)
        #expect(refusal(["iss": .string(other)], JWTClaimsPolicy(issuers: [ExactText(one)])) == .claimMismatch)
        #expect(refusal(["iss": .string(one)], JWTClaimsPolicy(issuers: [ExactText(one)])) == nil)
        #expect(refusal(["sub": .string(other)], JWTClaimsPolicy(subject: ExactText(one))) == .claimMismatch)
        #expect(refusal(["aud": .string(other)], JWTClaimsPolicy(audience: .named(ExactText(one)))) == .claimMismatch)
        #expect(refusal(["nonce": .string(other)], JWTClaimsPolicy(nonce: ExactText(one))) == .claimMismatch)
    }

    @Test func expectedClaimsMustBeThere() {
        #expect(refusal([:], JWTClaimsPolicy(issuers: ["a"])) == .missingClaim)
        #expect(refusal([:], JWTClaimsPolicy(subject: "a")) == .missingClaim)
        #expect(refusal([:], JWTClaimsPolicy(audience: .named("a"))) == .missingClaim)
        #expect(refusal([:], JWTClaimsPolicy(nonce: "a")) == .missingClaim)
        #expect(refusal([:], JWTClaimsPolicy(requiredClaims: ["jti", "exp"])) == .missingClaim)
        #expect(refusal(["jti": "1"], JWTClaimsPolicy(requiredClaims: ["jti"])) == nil)
    }

    @Test(arguments: ["iss", "sub", "aud", "nonce"])
    func namesAreTexts(name: String) {
        let policy = JWTClaimsPolicy(issuers: ["1"], subject: "1", audience: .named("1"), nonce: "1")
        let claims = JWTClaims(["iss": "1", "sub": "1", "aud": "1", "nonce": "1"])
        #expect(refusal(claims, policy) == nil)
        var other = claims
        other[name] = 1
        #expect(refusal(other, policy) == .invalidClaim)
    }

    @Test func audienceIsOneOrSeveral() {
        let policy = JWTClaimsPolicy(audience: .named("me"))
        #expect(refusal(["aud": "me"], policy) == nil)
        #expect(refusal(["aud": ["you", "me"]], policy) == nil)
        #expect(refusal(["aud": ["you"]], policy) == .claimMismatch)
        #expect(refusal(["aud": []], policy) == .claimMismatch)
        #expect(refusal(["aud": ["me", 1]], policy) == .invalidClaim)
        #expect(refusal(["aud": "me"]) == .claimMismatch)
        #expect(refusal(["aud": "me"], JWTClaimsPolicy(audience: .any)) == nil)
    }

    @Test func typesAreExplicit() {
        let plain = JWTClaimsPolicy()
        let explicit = JWTClaimsPolicy(type: .oneOf(["kb+jwt"]))
        for type in ["JWT", "jwt", "application/jwt", "application/JWT"] {
            #expect(refusal([:], plain, header: JOSEHeader(type: type)) == nil)
        }
        for type in ["kb+jwt", "KB+JWT", "application/kb+jwt"] {
            #expect(refusal([:], explicit, header: JOSEHeader(type: type)) == nil)
            #expect(refusal([:], plain, header: JOSEHeader(type: type)) == .unexpectedType)
        }
        #expect(refusal([:], plain) == nil)
        #expect(refusal([:], explicit) == .unexpectedType)
        #expect(refusal([:], explicit, header: JOSEHeader(type: "JWT")) == .unexpectedType)
        #expect(refusal([:], explicit, header: JOSEHeader(type: "application/application/kb+jwt")) == .unexpectedType)
        #expect(refusal([:], explicit, header: ["typ": 1]) == "invalidHeader")
        #expect(refusal([:], JWTClaimsPolicy(type: .any), header: JOSEHeader(type: "x")) == nil)
    }

    @Test func everyCheckIsReported() {
        let claims: JWTClaims = ["exp": 1, "iat": 2_000_000_000]
        let checks = JWTClaimsPolicy().verify(claims, header: JOSEHeader(), at: now).checks
        #expect(checks.map(\.check) == JWTClaimsPolicy.checks)
        #expect(checks.filter(\.hasFailed).map(\.check) == [.validity, .issuedAt])
    }

    @Test func claimsAreSetAndReadAgain() throws {
        var claims = JWTClaims()
        claims.setIssuer("i")
        claims.setSubject("s")
        claims.setAudience(["a", "b"])
        claims.setExpirationTime(now)
        claims.setNotBefore(now)
        claims.setIssuedAt(now)
        claims["jti"] = "1"
        let received = try JWTClaims(decoding: claims.encoded())
        #expect(try received.issuer() == "i")
        #expect(try received.subject() == "s")
        #expect(try received.audience() == ["a", "b"])
        #expect(try received.notBefore() == now)
        #expect(try received.issuedAt() == now)
        #expect(try received.tokenID() == "1")
        struct Subject: Codable {
            let sub: String
        }
        #expect(try received.decode(Subject.self).sub == "s")
        expectRefusal(.invalidClaim) { try JWTClaims(["sub": 1]).decode(Subject.self) }
    }

    @Test func confirmationNamesOneKey() throws {
        let key = try JWK(TestKeys.p256.get().publicKey)
        let forms: [JWTConfirmation] = [.key(key), .keyID("1"), .thumbprint(key.thumbprint())]
        for form in forms {
            let claims = JWTClaims(["cnf": form.json])
            #expect(try claims.confirmation()?.json == form.json)
        }
        #expect(try JWTClaims().confirmation() == nil)
        for value in [[:], ["x": 1], ["jwk": .object(key.members), "jkt": "AA"], ["kid": 1], ["jkt": "AA"], 1]
            as [JSONValue]
        {
            expectRefusal(.invalidClaim) { try JWTClaims(["cnf": value]).confirmation() }
        }
    }

    @Test func claimsAreOneObject() {
        for text in ["[]", "1", "{", "{}{}"] {
            expectRefusal(.malformed) { try JWTClaims(decoding: Array(text.utf8)) }
        }
    }
}
