import JSONKit
import LinkedDataKit
import MdocKit
import OID4VPVerifier
import SDJWTKit
import Testing
@_spi(Laws) import VerificationCore

/// No response is verified past a check that failed, could not be made or was not reached.
struct CheckLawTests {
    private static let outcomes: [CheckResult.Outcome] = [
        .failed("law", "it failed"), .unavailable("law", "it could not be made"), .notReached,
    ]

    private func expectRefusals<Value>(
        _ checks: [Check],
        _ verify: () async throws -> Verification<Value>
    ) async throws -> Int {
        let verification = try await verify()
        #expect(verification.verified != nil, "\(String(describing: verification.refusal))")
        for check in checks {
            for outcome in Self.outcomes {
                let replacement = CheckReplacement(of: check, by: outcome)
                let replaced = try await CheckReplacement.$current.withValue(replacement) { try await verify() }
                #expect(replaced.verified == nil, "a response past \(check): \(outcome)")
                #expect(
                    replaced.refusal?.check == check,
                    "\(check): \(outcome): \(String(describing: replaced.refusal))"
                )
            }
        }
        return checks.count
    }

    @Test func everyCheckOfAResponseCounts() async throws {
        let scene = try await Scene()
        var count = 0
        let own = PresentationVerifier.responseChecks + PresentationVerifier.queryChecks
        for (format, inner) in [
            (CredentialFormat.sdJWT, SDJWTVerifier.checks),
            (.mdoc, MdocVerifier.responseChecks + MdocVerifier.documentChecks),
        ] {
            let request = try scene.request(Scene.query([format]), mode: .directPost)
            let presentation = try await scene.presented(format, request)
            let checks = Set(own + inner).sorted { $0.name < $1.name }
            count += try await expectRefusals(checks) {
                try await scene.verify([request.expectation.queryIDs[0]: presentation], request)
            }
        }
        print("laws: \(count) checks of responses")
    }

    @Test func everyCheckOfAPresentationCounts() async throws {
        let scene = try await Scene()
        let request = try scene.request(Scene.query([.sdJWT]), mode: .directPost)
        let presentation = try await scene.presentedSDJWT(request)
        let expectation = HolderProofExpectation(
            audience: Scene.audience(request),
            nonce: request.expectation.nonce
        )
        let verifier = scene.verifier()
        _ = try await expectRefusals(PresentationVerifier.presentationChecks) {
            await verifier.verify(presentation, as: .sdJWT, expecting: expectation)
        }
    }

    /// Proofs, tokens and credentials have checks of the same names within, so that another one may be named.
    @Test(arguments: [CredentialFormat.linkedData, .jwt])
    func everyCheckOfAW3CPresentationCounts(_ format: CredentialFormat) async throws {
        let scene = try await Scene()
        let request = try scene.request(Scene.query([format]), mode: .directPost)
        let presentation = try await scene.presented(format, request)
        let checks = Set(
            W3CCredentialVerifier.presentationChecks + W3CCredentialVerifier.credentialChecks
                + PresentationVerifier.queryChecks
        )
        for check in checks {
            for outcome in Self.outcomes {
                let replaced = try await CheckReplacement.$current.withValue(CheckReplacement(of: check, by: outcome)) {
                    try await scene.verify([request.expectation.queryIDs[0]: presentation], request)
                }
                #expect(replaced.verified == nil, "a response past \(check): \(outcome)")
            }
        }
    }
}
