import CommandTesting
import Foundation
import JSONKit
import Testing

/// The attestations about a verifier in the question of `credential oid4vp present`.
@Suite struct OID4VPAttestationTests {
    /// A request of a verifier that sends attestations, as `verifier_info` has them.
    private static func scene(_ attestations: [JSONValue]) async throws -> OID4VPScene {
        let scene = try await OID4VPScene()
        try await scene.request(
            OID4VPScene.Credential.sdJWT.query,
            ["--response-uri", OID4VPScene.address, "--response-mode", "direct_post"]
        )
        try scene.changeRequest(["verifier_info": .array(attestations)])
        return scene
    }

    /// The question comes before the answer, and what the verifier writes is no line of it.
    @Test func theHolderReadsThatNoneIsVerified() async throws {
        let forged = "x\nverified: yes"
        let scene = try await Self.scene([
            ["format": "registration_cert", "data": "eyJ.eyJ.x", "credential_ids": ["q"]],
            ["format": .string(forged), "data": [:]],
        ])
        let declined = await scene.present([], typing: ["n"])
        #expect(declined.status == 1, "\(declined.errors)\(declined.output)")
        let lines = declined.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(lines.contains("attestations:"), "\(declined.output)")
        #expect(declined.output.contains("format: registration_cert"), "\(declined.output)")
        #expect(lines.filter { $0.hasSuffix("verified: no") }.count == 2, "\(declined.output)")
        #expect(!lines.contains("verified: yes"), "\(declined.output)")
        let machines = try JSONValue(parsing: await scene.present(["--yes", "--json"]).output)
        let expected: JSONValue = [
            ["format": "registration_cert", "queries": ["q"], "verified": false],
            ["format": .string(forged), "verified": false],
        ]
        #expect(machines["attestations"] == expected, "\(machines)")
    }

    /// A verifier cannot push the claims out of the window with attestations.
    @Test func onlyTheFirstOfManyAreListed() async throws {
        let scene = try await Self.scene((1...12).map { ["format": .string("format-\($0)"), "data": "x"] })
        let presented = await scene.present()
        #expect(presented.status == 0, "\(presented.errors)\(presented.output)")
        #expect(presented.output.contains("format-8") && !presented.output.contains("format-9"), "\(presented.output)")
        #expect(presented.output.contains("4 more, not verified"), "\(presented.output)")
        let machines = try JSONValue(parsing: await scene.present(["--yes", "--json"]).output)
        #expect(machines["attestations"]?.arrayValue?.count == 12)
    }
}
