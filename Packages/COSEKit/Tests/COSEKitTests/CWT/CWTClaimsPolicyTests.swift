import CBORKit
import COSEKit
import Foundation
import TestSupport
import Testing

@Suite struct CWTClaimsPolicyTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    /// The reasons of the failed checks.
    private func failures(_ policy: CWTClaimsPolicy, _ claims: CWTClaims) -> [Check: Reason] {
        var failures: [Check: Reason] = [:]
        for result in policy.verify(claims, at: now).checks {
            if case .failed(let reason, _) = result.outcome { failures[result.check] = reason }
        }
        return failures
    }

    private func time(_ offset: TimeInterval) -> Date { now.addingTimeInterval(offset) }

    @Test func everyCheckReportsItsOutcomeInOrder() {
        let checks = CWTClaimsPolicy().verify(CWTClaims(), at: now).checks
        #expect(checks.map(\.check) == CWTClaimsPolicy.checks)
        #expect(checks.allSatisfy { $0.outcome == .passed })
    }

    @Test func severalFailuresAreAllReported() {
        let claims = CWTClaims(issuer: "x", audience: ["x"], expirationTime: time(-61), issuedAt: time(61))
        let policy = CWTClaimsPolicy(issuers: ["i"], audience: .named("a"), requiredClaims: [.claimID])
        #expect(
            failures(policy, claims) == [
                .requiredClaims: .missingClaim, .issuer: .claimMismatch, .audience: .claimMismatch,
                .validity: .expired, .issuedAt: .issuedInFuture,
            ]
        )
    }

    @Test func expirationIsExclusiveAndHasClockSkew() {
        func result(_ offset: TimeInterval, clockSkew: TimeInterval = 0) -> Reason? {
            failures(CWTClaimsPolicy(clockSkew: clockSkew), CWTClaims(expirationTime: time(offset)))[.validity]
        }
        #expect(result(1) == nil)
        #expect(result(0) == .expired)
        #expect(result(-1) == .expired)
        #expect(result(-29, clockSkew: 30) == nil)
        #expect(result(-30, clockSkew: 30) == .expired)
    }

    @Test func notBeforeIsInclusiveAndHasClockSkew() {
        func result(_ offset: TimeInterval, clockSkew: TimeInterval = 0) -> Reason? {
            failures(CWTClaimsPolicy(clockSkew: clockSkew), CWTClaims(notBefore: time(offset)))[.validity]
        }
        #expect(result(0) == nil)
        #expect(result(0.5) == .notYetValid)
        #expect(result(30, clockSkew: 30) == nil)
        #expect(result(31, clockSkew: 30) == .notYetValid)
    }

    @Test func theTimeOfIssueIsNeitherInTheFutureNorTooLongAgo() {
        func result(_ offset: TimeInterval?, _ policy: CWTClaimsPolicy) -> Reason? {
            failures(policy, CWTClaims(issuedAt: offset.map(time)))[.issuedAt]
        }
        #expect(result(0, CWTClaimsPolicy()) == nil)
        #expect(result(1, CWTClaimsPolicy(clockSkew: 0)) == .issuedInFuture)
        #expect(result(1, CWTClaimsPolicy(clockSkew: 1)) == nil)
        #expect(result(-1000, CWTClaimsPolicy()) == nil)
        #expect(result(-100, CWTClaimsPolicy(maximumAge: 100, clockSkew: 0)) == nil)
        #expect(result(-101, CWTClaimsPolicy(maximumAge: 100, clockSkew: 0)) == .tooOld)
        #expect(result(-101, CWTClaimsPolicy(maximumAge: 100, clockSkew: 1)) == nil)
        #expect(result(nil, CWTClaimsPolicy(maximumAge: 100, clockSkew: 0)) == .missingClaim)
        #expect(result(nil, CWTClaimsPolicy()) == nil)
    }

    @Test func theAudienceMustNameTheReceiver() {
        func result(_ audience: [String], _ policy: CWTClaimsPolicy) -> Reason? {
            failures(policy, CWTClaims(audience: audience))[.audience]
        }
        #expect(result(["a"], CWTClaimsPolicy(audience: .named("a"))) == nil)
        #expect(result(["b", "a"], CWTClaimsPolicy(audience: .named("a"))) == nil)
        #expect(result(["b"], CWTClaimsPolicy(audience: .named("a"))) == .claimMismatch)
        #expect(result([], CWTClaimsPolicy(audience: .named("a"))) == .missingClaim)
        #expect(result(["a"], CWTClaimsPolicy()) == .claimMismatch)
        #expect(result([], CWTClaimsPolicy()) == nil)
        #expect(result(["b"], CWTClaimsPolicy(audience: .any)) == nil)
    }

    @Test func issuerAndSubjectAreComparedByTheirBytes() {
        let policy = CWTClaimsPolicy(issuers: ["\u{e9}"], subject: "\u{e9}")
        #expect(failures(policy, CWTClaims(issuer: "\u{e9}", subject: "\u{e9}")).isEmpty)
        let equivalent = CWTClaims(issuer: "e\u{301}", subject: "e\u{301}")
        #expect(failures(policy, equivalent) == [.issuer: .claimMismatch, .subject: .claimMismatch])
        #expect(failures(policy, CWTClaims()) == [.issuer: .missingClaim, .subject: .missingClaim])
    }

    @Test func aClaimOfAnotherTypeFailsItsCheck() {
        let claims: CWTClaims = [1: 1, 2: 1, 3: 1, 4: "x", 5: "x", 6: "x"]
        #expect(
            failures(CWTClaimsPolicy(), claims) == [
                .issuer: .invalidClaim, .subject: .invalidClaim, .audience: .invalidClaim,
                .validity: .invalidClaim, .issuedAt: .invalidClaim,
            ]
        )
    }
}
