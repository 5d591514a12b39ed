import Foundation
import Testing
import VerificationCore

@Suite struct AdditionalCheckTests {
    private static let time = Date(timeIntervalSince1970: 1_800_000_000)

    /// A verification with the given results, and two checks of a user's own about its value, 7.
    private func verification(
        _ outcomes: [CheckResult.Outcome],
        of value: Int? = 7,
        _ own: CheckFault? = nil,
        seen: @escaping @Sendable (Int, Date) -> Void = { _, _ in }
    ) async -> Verification<Int> {
        let declared: [Check] = [.structure, .validity]
        var checklist = Checklist(declared, at: Self.time)
        for (check, outcome) in zip(declared, outcomes) { checklist.record(check, outcome) }
        let first = AdditionalCheck<Int>("first") { value, time throws(CheckFault) in
            seen(value, time)
            if let own { throw own }
        }
        await checklist.make([first, AdditionalCheck("second") { _, _ in }], of: value)
        return checklist.verification(of: value)
    }

    @Test func seesTheValueThatTheBuiltInChecksLetPass() async {
        await confirmation { isSeen in
            let verification = await verification([.passed, .passed]) { value, time in
                #expect(value == 7)
                #expect(time == Self.time)
                isSeen()
            }
            #expect(verification.verified == 7)
            #expect(verification.checks.map(\.check) == [.structure, .validity, "first", "second"])
        }
    }

    @Test func refusesAndLeavesTheOthersToSpeak() async {
        let failed = await verification([.passed, .passed], .failed("own", "no", path: ["here"]))
        #expect(failed.refusal?.reason == "own")
        #expect(failed.refusal?.check == "first")
        #expect(failed.refusal?.path == ["here"])
        #expect(failed.checks.map(\.outcome) == [.passed, .passed, .failed("own", "no"), .passed])
        let unavailable = await verification([.passed, .waived("policy")], .unavailable("own", "offline"))
        #expect(unavailable.refusal?.isUnavailable == true)
    }

    @Test func isNotReachedBehindARefusalOrAMissingCheck() async {
        let results: [[CheckResult.Outcome]] = [
            [.failed(.malformed, "odd"), .passed], [.passed, .unavailable(.statusUnknown, "offline")], [.passed],
        ]
        for outcomes in results {
            let verification = await verification(outcomes) { _, _ in Issue.record("the check was made") }
            #expect(verification.verified == nil)
            #expect(verification.checks.suffix(2).map(\.outcome) == [.notReached, .notReached])
        }
        let withoutValue = await verification([.passed, .passed], of: nil)
        #expect(withoutValue.refusal?.check == "first")
    }

    /// A check that takes the name of a mandatory one cannot stand in for it.
    @Test func cannotStandInForAMandatoryCheck() async {
        var checklist = Checklist([.structure, .validity], at: Self.time)
        checklist.record(.structure, .passed)
        await checklist.make([AdditionalCheck<Int>(.validity) { _, _ in }], of: 7)
        #expect(checklist.verification(of: 7).refusal?.check == .validity)
    }

    // MARK: Behind a verification

    /// A verification of 7 by two checks of one name, with a part and a deviation.
    private func verification(_ outcome: CheckResult.Outcome) -> Verification<Int> {
        var checklist = Checklist([.structure, .signature], at: Self.time)
        checklist.record(.structure, .passed)
        checklist.record(.signature, .passed, at: ["a"])
        checklist.record(.signature, outcome, at: ["b"])
        checklist.add(Deviation("tolerated"))
        return checklist.verification(of: 7)
    }

    @Test func addsToTheAnswerOfAnyVerifier() async {
        let verification = verification(.passed)
        let own = verification.checking("own") { value, time throws(CheckFault) in
            #expect(value == 7)
            #expect(time == Self.time)
        }
        #expect(own.verified == 7)
        #expect(own.checks.dropLast() == verification.checks[...])
        #expect(own.checks.last?.check == "own")
        #expect(own.deviations == verification.deviations)
        #expect(await verification.checking([AdditionalCheck("own") { _, _ in }]).checks == own.checks)
    }

    @Test func refusesBehindAVerification() async {
        let fault = CheckFault.failed("odd", "seven is odd")
        let refused = verification(.passed).checking("own") { _, _ throws(CheckFault) in throw fault }
        #expect(refused.refusal?.check == "own")
        #expect(refused.refusal?.reason == "odd")
        let own = AdditionalCheck<Int>("own") { _, _ throws(CheckFault) in throw fault }
        #expect(await verification(.passed).checking([own]).refusal == refused.refusal)
    }

    @Test func cannotLiftARefusal() async {
        let refused = verification(.failed("forged", "no"))
        let own = refused.checking("own") { _, _ in Issue.record("the check was made") }
        #expect(own.refusal == refused.refusal)
        #expect(own.checks.last?.outcome == .notReached)
        let second = AdditionalCheck<Int>("own") { _, _ in Issue.record("the check was made") }
        #expect(await refused.checking([second]).refusal == refused.refusal)
        // Nothing was checked, and there is no value.
        let empty: Verification<Int> = Checklist([], at: Self.time).verification(of: nil)
        #expect(empty.checking("own") { _, _ in }.verified == nil)
    }

    /// The errors that a caller's function may throw, and the result of the check.
    @Test func takesAnyErrorOfACallersFunction() async {
        struct Offline: Error {}
        let verification = verification(.passed)
        for check in [
            AdditionalCheck<Int>("own") { _, _ in throw Offline() },
            AdditionalCheck("own") { _, _ in
                await Task.yield()
                throw Offline()
            },
        ] {
            let refusal = await verification.checking([check]).refusal
            #expect(refusal?.reason == .operationFailed && refusal?.isUnavailable == true)
            #expect(refusal?.message.contains("Offline") == true)
        }
        let immediate = verification.checking("own") { _, _ in throw Offline() }
        #expect(immediate.refusal?.reason == .operationFailed && immediate.refusal?.isUnavailable == true)
        let fault = verification.checking("own") { value, _ in
            guard value == 8 else { throw CheckFault.failed("seven", "the value is 7") }
        }
        #expect(fault.refusal?.reason == "seven" && fault.refusal?.isUnavailable == false)
    }

    @Test func anErrorOfALayerFailsTheCheck() {
        struct Odd: CodedError {
            typealias Code = Reason
            let details: ErrorDetails<Reason>
            init(_ details: ErrorDetails<Reason>) { self.details = details }
        }
        let refused = verification(.passed).checking("own") { _, _ in throw Odd("odd", "seven is odd", path: ["here"]) }
        #expect(refused.refusal?.reason == "odd" && refused.refusal?.message == "seven is odd")
        #expect(refused.refusal?.path == ["here"] && refused.refusal?.isUnavailable == false)
    }
}
