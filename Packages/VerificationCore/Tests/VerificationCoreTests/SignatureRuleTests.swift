import Foundation
import Testing
import VerificationCore

/// Of several signatures those that the rule needs decide.
@Suite struct SignatureRuleTests {
    private static let time = Date(timeIntervalSince1970: 1_800_000_000)

    /// A signature whose key is missing.
    private static let unknown = signature(.unavailable(.issuerKeyNotFound, "no key"), 0)
    private static let forged = signature(.failed("invalidSignature", "forged"), 1)
    private static let good = signature(.passed, 2)

    private static func signature(_ outcome: CheckResult.Outcome, _ value: Int) -> Verification<Int> {
        var checklist = Checklist([.signature], at: time)
        checklist.record(.signature, outcome)
        return checklist.verification(of: value)
    }

    private func verification(_ signatures: [Verification<Int>], _ rule: SignatureRule) -> Verification<Int> {
        .of(signatures: signatures, requiring: rule, at: Self.time)
    }

    @Test func oneIsEnoughForAny() {
        let verification = verification([Self.unknown, Self.forged, Self.good], .any)
        #expect(verification.verified == 2)
        #expect(verification.parts.map(\.name) == ["signatures[0]", "signatures[1]", "signatures[2]"])
    }

    @Test func allNeedsEveryOne() {
        #expect(verification([Self.good, Self.good], .all).verified == 2)
        for signatures in [[Self.good, Self.forged], [Self.unknown, Self.good], []] {
            #expect(verification(signatures, .all).verified == nil)
        }
    }

    @Test func thePlaceDecides() {
        let signatures = [Self.unknown, Self.forged, Self.good]
        #expect(verification(signatures, .signature(at: 2)).verified == 2)
        #expect(verification(signatures, .signature(at: 0)).refusal?.isUnavailable == true)
        #expect(verification(signatures, .signature(at: 1)).refusal?.path == ["signatures[1]"])
        for index in [3, -1] {
            #expect(verification(signatures, .signature(at: index)).refusal?.reason == .notEnoughSignatures)
        }
    }

    @Test func whatFailedDecidesBeforeWhatIsUnknown() {
        for rule in [SignatureRule.any, .all] {
            let refusal = verification([Self.unknown, Self.forged], rule).refusal
            #expect(refusal?.reason == "invalidSignature")
            #expect(refusal?.isUnavailable == false)
            #expect(verification([Self.unknown], rule).refusal?.isUnavailable == true)
            #expect(verification([], rule).refusal?.reason == .notEnoughSignatures)
        }
    }
}
