import Foundation
import Testing
import VerificationCore

/// Of several statuses the worst counts, and only a valid one passes.
@Suite struct StatusTests {
    private static let date = Date(timeIntervalSince1970: 1)
    /// From the best to the worst.
    private static let statuses: [CredentialStatus] = [
        .valid(asOf: date), .application(5), .unknown("offline"), .suspended, .revoked,
    ]

    @Test func theWorseCounts() {
        for (place, status) in Self.statuses.enumerated() {
            for (otherPlace, other) in Self.statuses.enumerated() {
                #expect(status.combined(with: other) == Self.statuses[max(place, otherPlace)])
            }
        }
    }

    @Test func anUpdateOfEitherCounts() {
        let (quiet, update) = (StatusFinding.revoked, StatusFinding(Self.statuses[0], isUpdateAvailable: true))
        for finding in [quiet.combined(with: update), update.combined(with: quiet)] {
            #expect(finding.status == .revoked && finding.isUpdateAvailable)
        }
        #expect(!quiet.combined(with: quiet).isUpdateAvailable)
    }

    @Test func theOlderStatementCounts() {
        let later = CredentialStatus.valid(asOf: Self.date + 1)
        #expect(later.combined(with: Self.statuses[0]) == Self.statuses[0])
        #expect(Self.statuses[0].combined(with: later) == Self.statuses[0])
    }

    @Test func onlyAValidStatusPasses() {
        let reasons: [Reason?] = Self.statuses.map { status in
            do throws(CheckFault) {
                try status.requireValid()
                return nil
            } catch {
                return switch error.outcome {
                case .failed(let reason, _), .unavailable(let reason, _): reason
                default: nil
                }
            }
        }
        #expect(reasons == [nil, .statusUnknown, .statusUnknown, .suspended, .revoked])
    }

    private static func outcome(
        _ policy: StatusPolicy,
        named reference: String?,
        _ status: CredentialStatus = .valid(asOf: date),
        isRefused: Bool = false
    ) async -> (outcome: CheckResult.Outcome?, isAsked: Bool) {
        var checklist = Checklist([.structure, .status], at: date)
        checklist.record(.structure, isRefused ? .failed(.malformed, "odd") : .passed)
        var isAsked = false
        let valid = await checklist.checkStatus(policy, named: reference) { name async in
            #expect(name == reference)
            isAsked = true
            return StatusFinding(status)
        }
        let verification = checklist.verification(of: 1)
        // A status that is known without waiting gives the same.
        var known = Checklist([.structure, .status], at: date)
        known.record(.structure, isRefused ? .failed(.malformed, "odd") : .passed)
        #expect(known.checkStatus(policy, named: reference) { _ in StatusFinding(status) } == valid)
        #expect(known.verification(of: 1).checks == verification.checks)
        let outcome = verification.results(of: .status).first?.outcome
        #expect((valid != nil) == (outcome == .passed))
        return (outcome, isAsked)
    }

    @Test func aNamedStatusMustBeKnownUnlessWaived() async {
        for policy in [StatusPolicy.required, .whenNamed] {
            for status in Self.statuses {
                let (outcome, isAsked) = await Self.outcome(policy, named: "list", status)
                #expect(isAsked)
                #expect((outcome == .passed) == (status == Self.statuses[0]))
            }
            let (outcome, isAsked) = await Self.outcome(policy, named: "list", isRefused: true)
            #expect(outcome == .notReached)
            #expect(!isAsked)
        }
        let (outcome, isAsked) = await Self.outcome(.waived, named: "list", .revoked)
        #expect(outcome == .waived("status"))
        #expect(!isAsked)
    }

    @Test func onlyARequiredStatusMustBeNamed() async {
        let required = await Self.outcome(.required, named: nil).outcome
        #expect(required == .failed(.statusUnknown, "the credential does not say where its status is found"))
        let whenNamed = await Self.outcome(.whenNamed, named: nil).outcome
        #expect(whenNamed == .notApplicable("the credential names no status"))
    }

    @Test func deviationsOfTheStatusAreReportedWhateverItIs() async {
        let deviation = Deviation("arrayOfOneCertificate", at: ["x5chain"], "found")
        for status in Self.statuses {
            var checklist = Checklist([.status], at: Self.date)
            checklist.checkStatus(.whenNamed, named: "list") { _ in StatusFinding(status, deviations: [deviation]) }
            let verification = checklist.verification(of: 1)
            #expect(
                verification.deviations == [Deviation("arrayOfOneCertificate", at: ["status", "x5chain"], "found")]
            )
        }
    }

    @Test func ofTwoFindingsTheWorseStatusCountsAndAllDeviationsStay() {
        let first = StatusFinding(.revoked, deviations: [Deviation("first")])
        let second = StatusFinding(.valid(asOf: Self.date), deviations: [Deviation("second")])
        for (left, right) in [(first, second), (second, first)] {
            let combined = left.combined(with: right)
            #expect(combined.status == .revoked)
            #expect(combined.deviations == left.deviations + right.deviations)
        }
    }
}
