import Foundation
import Testing
import VerificationCore

/// The verdict follows from the results alone, and fails closed.
@Suite struct ChecklistTests {
    private static let time = Date(timeIntervalSince1970: 1_800_000_000)
    private static let declared: [Check] = [.structure, .issuerSignature, .validity]
    private static let outcomes: [CheckResult.Outcome?] = [
        .passed, .failed(.expired, "late"), .unavailable(.statusUnknown, "offline"), .notApplicable("nothing"),
        .waived("status policy"), .waived("status policy", "no list"), .notReached, nil,
    ]

    private static func permits(_ outcome: CheckResult.Outcome?) -> Bool {
        switch outcome {
        case .passed, .notApplicable, .waived: true
        case .failed, .unavailable, .notReached, nil: false
        }
    }

    @Test func printsResultsForPeople() {
        let texts = [
            "passed", "failed: expired: late", "unavailable: statusUnknown: offline", "not applicable: nothing",
            "waived by status policy", "waived by status policy: no list", "not reached",
        ]
        #expect(Self.outcomes.compactMap { $0.map { "\($0)" } } == texts)
        #expect("\(CheckResult.Outcome.failed("odd", "a\u{202e}b"))" == #"failed: odd: a\u{202E}b"#)
    }

    @Test func resultsAreEqualByCheckPathAndOutcome() {
        var results: [CheckResult] = []
        for check in [Check.structure, .validity] {
            for path in [[], ["a"], ["a", "b"]] {
                for outcome in Self.outcomes.compactMap(\.self) {
                    var checklist = Checklist([], at: Self.time)
                    checklist.record(check, outcome, at: path)
                    let copy = checklist.verification(of: ()).checks
                    #expect(copy.map(\.check) == [check] && copy.map(\.path) == [path])
                    #expect(copy.map(\.outcome) == [outcome])
                    results += copy
                    results += copy
                }
            }
        }
        #expect(Set(results).count == results.count / 2)
        for (index, result) in results.enumerated() {
            #expect(results.firstIndex(of: result) == index & ~1)
        }
    }

    @Test func everyCombinationOfResults() {
        for first in Self.outcomes {
            for second in Self.outcomes {
                for third in Self.outcomes {
                    let outcomes = [first, second, third]
                    var checklist = Checklist(Self.declared, at: Self.time)
                    for (check, outcome) in zip(Self.declared, outcomes) {
                        if let outcome { checklist.record(check, outcome) }
                    }
                    let verification = checklist.verification(of: 7)
                    #expect((verification.verified == 7) == outcomes.allSatisfy(Self.permits))
                    #expect(verification.checks.map(\.check) == Self.declared)
                    #expect(verification.checks.map(\.outcome) == outcomes.map { $0 ?? .notReached })
                    let failed = outcomes.firstIndex { if case .failed = $0 { true } else { false } }
                    let expected = failed ?? outcomes.firstIndex { !Self.permits($0) }
                    #expect(verification.refusal?.check == expected.map { Self.declared[$0] })
                }
            }
        }
    }

    @Test func resultsAreInTheOrderOfTheStandard() {
        var checklist = Checklist(Self.declared, at: Self.time)
        checklist.record("own", .passed)
        checklist.record(.validity, .failed(.expired, "late"), at: ["b"])
        checklist.record(.structure, .failed(.malformed, "odd"))
        checklist.record(.validity, .passed, at: ["a"])
        let verification = checklist.verification(of: ())
        #expect(verification.checks.map(\.check) == [.structure, .issuerSignature, .validity, .validity, "own"])
        #expect(verification.checks.map(\.path) == [[], [], ["b"], ["a"], []])
        #expect(verification.refusal?.reason == .malformed)
        #expect(verification.results(of: .validity).count == 2)
        #expect(verification.time == Self.time)
    }

    @Test func checksBeyondTheStandardCanOnlyRefuse() {
        for (outcome, isVerified) in [(CheckResult.Outcome.passed, true), (.failed("own", "no"), false)] {
            var complete = Checklist([.structure], at: Self.time)
            complete.record(.structure, .passed)
            complete.record("own", outcome)
            let whole = complete.verification(of: 1)
            #expect((whole.verified != nil) == isVerified)
            var incomplete = Checklist([.structure], at: Self.time)
            incomplete.record("own", outcome)
            let part = incomplete.verification(of: 1)
            #expect(part.verified == nil)
        }
    }

    @Test func aPartGivesItsValueByType() {
        for isPassed in [true, false] {
            var inner = Checklist([.structure], at: Self.time)
            inner.record(.structure, isPassed ? .passed : .failed(.malformed, "odd"))
            var outer = Checklist([.structure], at: Self.time)
            outer.record(.structure, .passed)
            outer.add(inner.verification(of: 7), named: "part[0]")
            let part = outer.verification(of: 1).parts[0]
            #expect(part.verification(as: Int.self)?.verified == (isPassed ? 7 : nil))
            #expect(part.verification(as: Int.self)?.refusal?.reason == (isPassed ? nil : .malformed))
            #expect((part.verification(as: String.self)?.checks == nil) == isPassed)
        }
    }

    @Test func withoutAValueNothingIsVerified() {
        var checklist = Checklist([.structure], at: Self.time)
        checklist.record(.structure, .passed)
        let verification = checklist.verification(of: Int?.none)
        #expect(verification.refusal?.reason == .incomplete)
    }

    @Test func withoutAnyCheckNothingIsVerified() {
        let verification = Checklist([], at: Self.time).verification(of: 1)
        #expect(verification.refusal?.reason == .incomplete)
    }

    @Test func aCheckGivesItsValueOrItsFault() async {
        var checklist = Checklist([.structure, .nonce, .status], at: Self.time)
        let value = checklist.check(.structure) { () throws(CheckFault) in 3 }
        #expect(value == 3)
        let isRefusedBefore = checklist.isRefused
        let nothing = checklist.check(.nonce, at: ["a"]) { () throws(CheckFault) -> Int in
            throw .failed(.claimMismatch, "another", path: ["b"])
        }
        let isRefusedAfter = checklist.isRefused
        #expect(nothing == nil && !isRefusedBefore && isRefusedAfter)
        let later = await checklist.check(.status) { () async throws(CheckFault) -> Int in
            throw .unavailable(.statusUnknown, "offline")
        }
        #expect(later == nil)
        let verification = checklist.verification(of: 1)
        #expect(verification.refusal?.path == ["a", "b"])
        #expect(throws: Refusal.self) { try verification.get() }
    }

    @Test func anUnavailableCheckSaysThatAnotherAttemptMaySucceed() {
        var checklist = Checklist([.status, .validity], at: Self.time)
        checklist.record(.status, .unavailable(.statusUnknown, "offline"))
        checklist.record(.validity, .passed)
        let verification = checklist.verification(of: 1)
        #expect(verification.refusal?.isUnavailable == true)
    }

    @Test func partsRefuseTheWholeUnlessTheyMay() {
        var inner = Checklist([.digests], at: Self.time)
        inner.record(.digests, .failed(.digestMismatch, "item 3"), at: ["items[3]"])
        let part = inner.verification(of: "a")
        for isMandatory in [true, false] {
            var outer = Checklist([.structure], at: Self.time)
            outer.record(.structure, .passed)
            outer.add(part, named: "documents[0]", isMandatory: isMandatory)
            let verification = outer.verification(of: "b")
            #expect((verification.verified == nil) == isMandatory)
            #expect(verification.parts.map(\.name) == ["documents[0]"])
            #expect(verification.parts[0].verification.refusal == part.refusal)
            #expect(verification.refusal?.path == (isMandatory ? ["documents[0]", "items[3]"] : nil))
        }
    }

    @Test func mapKeepsEverythingButTheValue() {
        var checklist = Checklist([.structure], at: Self.time)
        checklist.record(.structure, .passed)
        checklist.add(Deviation("untaggedDate", at: ["a"], "a text"))
        let verification = checklist.verification(of: 4).map { $0 + 1 }
        #expect(verification.verified == 5)
        #expect(verification.deviations.map(\.description) == ["untaggedDate in a: a text"])
    }

    @Test func textOfOthersIsEscaped() {
        var checklist = Checklist([.structure], at: Self.time)
        checklist.record(.structure, .failed(.malformed, "a\nverdict: verified"), at: ["b\u{1b}[2J"])
        let refusal = checklist.verification(of: 1).refusal
        #expect(refusal?.description == #"malformed (structure in b\u{001B}[2J): a\u{000A}verdict: verified"#)
    }

    @Test func deviationsOfNestedObjectsAreNamedByTheirParts() {
        let time = Date(timeIntervalSince1970: 0)
        func verification(_ tolerance: String, around inner: Verification<Int>?) -> Verification<Int> {
            var checklist = Checklist([], at: time)
            checklist.add(Deviation(tolerance, at: ["a"]))
            if let inner { checklist.add(inner, named: "part") }
            return checklist.verification(of: 1)
        }
        let nested = verification("outer", around: verification("middle", around: verification("inner", around: nil)))
        #expect(nested.deviations == [Deviation("outer", at: ["a"])])
        #expect(
            nested.allDeviations == [
                Deviation("outer", at: ["a"]), Deviation("middle", at: ["part", "a"]),
                Deviation("inner", at: ["part", "part", "a"]),
            ]
        )
    }
}
