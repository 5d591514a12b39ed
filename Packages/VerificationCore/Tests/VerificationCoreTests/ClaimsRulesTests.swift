import Foundation
import Testing
import VerificationCore

/// Issuer, subject, audience and times of tokens of any format.
@Suite struct ClaimsRulesTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    struct Claims: RegisteredClaims {
        var iss: String?
        var sub: String?
        var aud: [String]?
        var exp: TimeInterval?
        var nbf: TimeInterval?
        var iat: TimeInterval?
        var isMalformed = false

        private func read<Value>(_ value: Value?) throws(CheckFault) -> Value? {
            guard !isMalformed else { throw .failed(.malformed, "no text") }
            return value
        }

        func issuer() throws(CheckFault) -> String? { try read(iss) }
        func subject() throws(CheckFault) -> String? { try read(sub) }
        func audience() throws(CheckFault) -> [String]? { try read(aud) }
        func expirationTime() throws(CheckFault) -> Date? { try read(exp).map { now + $0 } }
        func notBefore() throws(CheckFault) -> Date? { try read(nbf).map { now + $0 } }
        func issuedAt() throws(CheckFault) -> Date? { try read(iat).map { now + $0 } }
    }

    private func refusal(_ claims: Claims, _ rules: ClaimsRules) -> Refusal? {
        var checklist = Checklist(ClaimsRules.checks, at: Self.now)
        rules.check(claims, in: &checklist)
        return checklist.verification(of: ()).refusal
    }

    @Test(
        arguments: [
            (ClaimsRules(issuers: ["a", "b"]), Claims(iss: "b"), nil),
            (ClaimsRules(issuers: ["a"]), Claims(iss: "c"), .claimMismatch),
            (ClaimsRules(issuers: ["a"]), Claims(), .missingClaim),
            (ClaimsRules(issuers: ["\u{e9}"]), Claims(iss: "e\u{301}"), .claimMismatch),
            (ClaimsRules(subject: "a"), Claims(sub: "a"), nil),
            (ClaimsRules(subject: "a"), Claims(sub: "A"), .claimMismatch),
            (ClaimsRules(subject: "a"), Claims(), .missingClaim),
            (ClaimsRules(), Claims(aud: ["a"]), .claimMismatch),
            (ClaimsRules(audience: .any), Claims(aud: ["a"]), nil),
            (ClaimsRules(audience: .named("a")), Claims(aud: ["b", "a"]), nil),
            (ClaimsRules(audience: .named("a")), Claims(aud: []), .claimMismatch),
            (ClaimsRules(audience: .named("a")), Claims(), .missingClaim),
            (ClaimsRules(audience: .namedIfPresent("a")), Claims(), nil),
            (ClaimsRules(audience: .namedIfPresent("a")), Claims(aud: ["b"]), .claimMismatch),
        ] as [(ClaimsRules, Claims, Reason?)]
    )
    func names(rules: ClaimsRules, claims: Claims, reason: Reason?) {
        #expect(refusal(claims, rules)?.reason == reason)
    }

    @Test(
        arguments: [
            (ClaimsRules(clockSkew: 0), Claims(exp: 1), nil), (ClaimsRules(clockSkew: 0), Claims(exp: 0), .expired),
            (ClaimsRules(clockSkew: 60), Claims(exp: -59), nil),
            (ClaimsRules(clockSkew: 60), Claims(exp: -60), .expired),
            (ClaimsRules(requiresExpirationTime: true), Claims(), .missingClaim),
            (ClaimsRules(clockSkew: 0), Claims(nbf: 0), nil), (ClaimsRules(clockSkew: 0), Claims(nbf: 1), .notYetValid),
            (ClaimsRules(), Claims(nbf: 60), nil), (ClaimsRules(), Claims(nbf: 61), .notYetValid),
            (ClaimsRules(), Claims(iat: 60), nil), (ClaimsRules(), Claims(iat: 61), .issuedInFuture),
            (ClaimsRules(maximumAge: 10), Claims(iat: -70), nil),
            (ClaimsRules(maximumAge: 10), Claims(iat: -71), .tooOld),
            (ClaimsRules(maximumAge: 10), Claims(), .missingClaim),
        ] as [(ClaimsRules, Claims, Reason?)]
    )
    func times(rules: ClaimsRules, claims: Claims, reason: Reason?) {
        #expect(refusal(claims, rules)?.reason == reason)
    }

    @Test func malformedClaimsFailTheChecksThatReadThem() {
        var checklist = Checklist(ClaimsRules.checks, at: Self.now)
        ClaimsRules(audience: .any).check(Claims(isMalformed: true), in: &checklist)
        let verification = checklist.verification(of: ())
        #expect(verification.checks.map(\.outcome) == Array(repeating: .failed(.malformed, "no text"), count: 5))
    }

    @Test func aNegativeSkewCountsAsNone() {
        #expect(VerificationTime(Self.now, clockSkew: -1).clockSkew == 0)
    }
}
