import CBORKit
import COSEKit
import Foundation
import TestSupport
import Testing

@Suite struct CWTClaimsPolicyTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    /// The failures of the checks, by their names.
    private func failures(
        _ policy: CWTClaimsPolicy,
        _ claims: CWTClaims
    ) -> [CWTCheck.Name: COSEError.Code] {
        var failures: [CWTCheck.Name: COSEError.Code] = [:]
        for check in policy.checks(of: claims, at: now) { failures[check.name] = check.failure?.code }
        return failures
    }

    private func time(_ offset: TimeInterval) -> Date { now.addingTimeInterval(offset) }

    @Test func everyCheckReportsItsOutcomeInOrder() {
        let checks = CWTClaimsPolicy().checks(of: CWTClaims(), at: now)
        let names: [CWTCheck.Name] = [
            .requiredClaims, .issuer, .subject, .audience, .expirationTime, .notBefore, .issuedAt,
        ]
        #expect(checks.map(\.name) == names)
        #expect(checks.map(\.hasPassed) == names.map { _ in true })
    }

    @Test func severalFailuresAreAllReported() {
        let claims = CWTClaims(issuer: "x", audience: ["x"], expirationTime: time(-1), notBefore: time(1))
        let policy = CWTClaimsPolicy(issuers: ["i"], audience: "a", requiredClaims: [.claimID])
        #expect(
            failures(policy, claims) == [
                .requiredClaims: .missingClaim, .issuer: .claimMismatch, .audience: .claimMismatch,
                .expirationTime: .expired, .notBefore: .notYetValid,
            ]
        )
    }

    @Test func expirationIsExclusiveAndHasLeeway() {
        func result(_ offset: TimeInterval, leeway: TimeInterval = 0) -> COSEError.Code? {
            failures(CWTClaimsPolicy(leeway: leeway), CWTClaims(expirationTime: time(offset)))[.expirationTime]
        }
        #expect(result(1) == nil)
        #expect(result(0) == .expired)
        #expect(result(-1) == .expired)
        #expect(result(-29, leeway: 30) == nil)
        #expect(result(-30, leeway: 30) == .expired)
    }

    @Test func notBeforeIsInclusiveAndHasLeeway() {
        func result(_ offset: TimeInterval, leeway: TimeInterval = 0) -> COSEError.Code? {
            failures(CWTClaimsPolicy(leeway: leeway), CWTClaims(notBefore: time(offset)))[.notBefore]
        }
        #expect(result(0) == nil)
        #expect(result(0.5) == .notYetValid)
        #expect(result(30, leeway: 30) == nil)
        #expect(result(31, leeway: 30) == .notYetValid)
    }

    @Test func theTimeOfIssueIsNeitherInTheFutureNorTooLongAgo() {
        func result(_ offset: TimeInterval?, _ policy: CWTClaimsPolicy) -> COSEError.Code? {
            failures(policy, CWTClaims(issuedAt: offset.map(time)))[.issuedAt]
        }
        #expect(result(0, CWTClaimsPolicy()) == nil)
        #expect(result(1, CWTClaimsPolicy()) == .issuedInFuture)
        #expect(result(1, CWTClaimsPolicy(leeway: 1)) == nil)
        #expect(result(-1000, CWTClaimsPolicy()) == nil)
        #expect(result(-100, CWTClaimsPolicy(maximumAge: 100)) == nil)
        #expect(result(-101, CWTClaimsPolicy(maximumAge: 100)) == .tooOld)
        #expect(result(-101, CWTClaimsPolicy(leeway: 1, maximumAge: 100)) == nil)
        #expect(result(nil, CWTClaimsPolicy(maximumAge: 100)) == .missingClaim)
        #expect(result(nil, CWTClaimsPolicy()) == nil)
    }

    @Test func theAudienceMustNameTheReceiver() {
        func result(_ audience: [String], _ policy: CWTClaimsPolicy) -> COSEError.Code? {
            failures(policy, CWTClaims(audience: audience))[.audience]
        }
        #expect(result(["a"], CWTClaimsPolicy(audience: "a")) == nil)
        #expect(result(["b", "a"], CWTClaimsPolicy(audience: "a")) == nil)
        #expect(result(["b"], CWTClaimsPolicy(audience: "a")) == .claimMismatch)
        #expect(result([], CWTClaimsPolicy(audience: "a")) == .missingClaim)
        #expect(result(["a"], CWTClaimsPolicy()) == .claimMismatch)
        #expect(result([], CWTClaimsPolicy()) == nil)
        #expect(result(["b"], CWTClaimsPolicy(audience: "a", ignoresAudience: true)) == nil)
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
                .expirationTime: .invalidClaim, .notBefore: .invalidClaim, .issuedAt: .invalidClaim,
            ]
        )
    }
}
