import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import SDJWTKit
import Testing

/// Checks of a user's own, behind those of the verifier.
@Suite struct AdditionalCheckTests {
    private func verification(
        policy: SDJWTVerificationPolicy = .credential(algorithms: [.es256])
    ) async throws -> Verification<VerifiedSDJWT> {
        let scene = try Scene()
        let own = AdditionalCheck<VerifiedSDJWT>("colour") { [now = scene.now] credential, time throws(CheckFault) in
            #expect(time == now)
            guard credential["colour"] == "blue" else { throw .failed("wrongColour", "the credential is not blue") }
        }
        let verifier = SDJWTVerifier(
            policy: policy,
            issuerKeys: KnownIssuerKeys(scene.issuer.publicKey),
            additionalChecks: [own],
            clock: { [now = scene.now] in now }
        )
        let text = try await assemble(["vct": "t", "colour": "red"], signer: scene.issuer)
        return await verifier.verify(try SDJWT(compact: text), expecting: .noKeyBinding)
    }

    @Test func refusesWhatTheOthersLetPass() async throws {
        let verification = try await verification()
        #expect(verification.refusal?.check == "colour")
        #expect(verification.refusal?.reason == "wrongColour")
        #expect(verification.checks.map(\.check) == SDJWTVerifier.checks + ["colour"])
    }

    @Test func isNotReachedBehindARefusal() async throws {
        let policy = SDJWTVerificationPolicy.credential(algorithms: [.es256], credentialTypes: ["other"])
        let verification = try await verification(policy: policy)
        #expect(verification.refusal?.check == .credentialType)
        #expect(verification.checks.last?.outcome == .notReached)
    }
}
