import DIDKit
import Foundation
import JSONKit
import LinkedDataKit
import Testing
@_spi(Laws) import VerificationCore

/// No verifier of this module hands out a value past a check that failed, could not be made or was not reached.
struct CheckLawTests {
    private static let outcomes: [CheckResult.Outcome] = [
        .failed("law", "it failed"), .unavailable("law", "it could not be made"), .notReached,
    ]

    private func expectRefusals<Value>(
        _ checks: [Check],
        namingTheCheck namesCheck: Bool,
        _ verify: () async throws -> Verification<Value>
    ) async throws {
        let verification = try await verify()
        #expect(verification.verified != nil, "\(String(describing: verification.refusal))")
        for check in checks {
            for outcome in Self.outcomes {
                let replacement = CheckReplacement(of: check, by: outcome)
                let replaced = try await CheckReplacement.$current.withValue(replacement) { try await verify() }
                #expect(replaced.verified == nil, "a value past \(check): \(outcome)")
                if namesCheck { #expect(replaced.refusal?.check == check, "\(check): \(outcome)") }
            }
        }
    }

    @Test func documents() async throws {
        let first = try await ProofScene.signed { $0.id = "urn:uuid:1" }
        let chain = try await ProofScene.signed(first.unverifiedMembers) { options in
            options.previousProofs = ["urn:uuid:1"]
            options.expires = ProofScene.now.addingTimeInterval(60)
        }
        let verifier = ProofScene.verifier()
        try await expectRefusals(LinkedDataVerifier.checks, namingTheCheck: true) {
            await verifier.verify(chain, expecting: LinkedDataExpectation())
        }
        try await expectRefusals(LinkedDataVerifier.proofChecks, namingTheCheck: false) {
            await verifier.verify(chain, expecting: LinkedDataExpectation())
        }
    }

    @Test func disclosedDocuments() async throws {
        let scene = try DisclosureScene()
        let derived = try await scene.derived("/credentialSubject/name")
        let verifier = ProofScene.verifier()
        try await expectRefusals(LinkedDataVerifier.checks, namingTheCheck: true) {
            await verifier.verify(derived, expecting: LinkedDataExpectation())
        }
        try await expectRefusals(LinkedDataVerifier.proofChecks, namingTheCheck: false) {
            await verifier.verify(derived, expecting: LinkedDataExpectation())
        }
        let credentials = try scene.verifier()
        try await expectRefusals(W3CCredentialVerifier.credentialChecks, namingTheCheck: false) {
            await credentials.verify(VerifiableCredential(.linkedData(derived)))
        }
    }

    @Test(arguments: CredentialScene.Form.allCases)
    func credentialsAndPresentations(_ form: CredentialScene.Form) async throws {
        let scene = try CredentialScene(form)
        let credential = try await scene.credential()
        let presentation = try await scene.presentation(of: [credential])
        let verifier = try scene.verifier()
        // Proofs and credentials have checks of the same names within, and a token's claims are read before its signature.
        try await expectRefusals(W3CCredentialVerifier.credentialChecks, namingTheCheck: false) {
            await verifier.verify(credential)
        }
        try await expectRefusals(W3CCredentialVerifier.presentationChecks, namingTheCheck: false) {
            await verifier.verify(presentation, expecting: CredentialScene.expectation)
        }
    }
}
