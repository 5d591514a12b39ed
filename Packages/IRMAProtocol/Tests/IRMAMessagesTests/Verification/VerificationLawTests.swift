import Foundation
import IRMAMessages
import IdemixCore
import Testing
@_spi(Laws) import VerificationCore

/// No verifier hands out attributes past a check that failed, could not be made or was not reached.
@Suite struct VerificationLawTests {
    private static let outcomes: [CheckResult.Outcome] = [
        .failed("law", "it failed"), .unavailable("law", "it could not be made"), .notReached,
    ]

    @Test(arguments: outcomes)
    func noDisclosurePassesACheckThatDoesNotPermitIt(outcome: CheckResult.Outcome) throws {
        let scene = try Scene.shared.get()
        var request = scene.request([[["demo.bank.pass.id"]]])
        request.parameters.revocation = [Scene.pass: NonRevocationDemand()]
        let response = try scene.response(
            [(scene.credential(Scene.pass, ["p1"]), [2])],
            indices: [[(0, 2)]],
            to: request,
            provingNonRevocation: true
        )
        #expect(scene.outcome(of: response, to: request).proofStatus == .valid)
        for check in DisclosureVerifier.checks + IdemixProofList.checks {
            let answer = CheckReplacement.$current.withValue(CheckReplacement(of: check, by: outcome)) {
                scene.outcome(of: response, to: request)
            }
            #expect(answer.verification.verified == nil && answer.proofStatus != .valid, "\(check)")
            // What a part of the verification does not reach, the checks behind it do not reach either.
            guard !IdemixProofList.checks.contains(check) else { continue }
            #expect(answer.verification.refusal?.check == check, "\(check)")
        }
    }

    @Test(arguments: outcomes)
    func noSignaturePassesACheckThatDoesNotPermitIt(outcome: CheckResult.Outcome) throws {
        let verify = try SignatureTests().verificationWithItsRequest()
        #expect(verify().proofStatus == .valid)
        for check in SignatureVerifier.checks {
            let answer = CheckReplacement.$current.withValue(CheckReplacement(of: check, by: outcome)) { verify() }
            #expect(answer.verification.verified == nil && answer.proofStatus != .valid, "\(check)")
            // What a part of the verification does not reach, the checks behind it do not reach either.
            guard !IdemixProofList.checks.contains(check) else { continue }
            #expect(answer.verification.refusal?.check == check, "\(check)")
        }
    }
}
