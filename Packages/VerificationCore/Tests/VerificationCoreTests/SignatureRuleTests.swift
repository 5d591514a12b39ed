import Foundation
import Testing
import VerificationCore

/// Of several signatures those that the rule needs decide.
@Suite struct SignatureRuleTests {
    private static let time = Date(timeIntervalSince1970: 1_800_000_000)

    /// The kinds of signature; the key of an unknown one is missing.
    private enum Signature { case unknown, forged, good }

    /// A verification whose value is the place of the signature.
    private func verification(_ signatures: [Signature], _ rule: SignatureRule) -> Verification<Int> {
        .of(
            signatures: signatures,
            requiring: rule,
            at: Self.time,
            key: { signature throws(CheckFault) in signature == .unknown ? nil : signature },
            verify: { place, key throws(CheckFault) in
                guard key == .good else { throw .failed("invalidSignature", "forged") }
                return place
            }
        )
    }

    @Test func oneIsEnoughForAny() {
        let verification = verification([.unknown, .forged, .good], .any)
        #expect(verification.verified == 2)
        #expect(verification.parts.map(\.name) == ["signatures[0]", "signatures[1]", "signatures[2]"])
    }

    @Test func allNeedsEveryOne() {
        #expect(verification([.good, .good], .all).verified == 0)
        for signatures: [Signature] in [[.good, .forged], [.unknown, .good], []] {
            #expect(verification(signatures, .all).verified == nil)
        }
    }

    @Test func thePlaceDecides() {
        let signatures: [Signature] = [.unknown, .forged, .good]
        #expect(verification(signatures, .signature(at: 2)).verified == 2)
        #expect(verification(signatures, .signature(at: 0)).refusal?.isUnavailable == true)
        #expect(verification(signatures, .signature(at: 1)).refusal?.path == ["signatures[1]"])
        for index in [3, -1] {
            #expect(verification(signatures, .signature(at: index)).refusal?.reason == .notEnoughSignatures)
        }
    }

    @Test func whatFailedDecidesBeforeWhatIsUnknown() {
        for rule in [SignatureRule.any, .all] {
            let refusal = verification([.unknown, .forged], rule).refusal
            #expect(refusal?.reason == "invalidSignature")
            #expect(refusal?.isUnavailable == false)
            #expect(verification([.unknown], rule).refusal?.isUnavailable == true)
            #expect(verification([], rule).refusal?.reason == .notEnoughSignatures)
        }
    }
}
