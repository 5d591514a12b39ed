import CBORKit
import CommandTesting
import Foundation
import JOSEKit
import Testing

/// The hints at options that a refused answer gets from the verifier on the command line.
@Suite struct OID4VPHintTests {
    /// Writes the issuer's signature of the mdoc with a tag, a known deviation.
    private static func addTag(in scene: OID4VPScene) throws {
        let file = OID4VPScene.Credential.mdoc.rawValue
        let text = try scene.text(of: file).trimmingCharacters(in: .whitespacesAndNewlines)
        var credential = try CBOR(decoding: try Base64URL.decode(text))
        guard case .map(var members) = credential, let issuerAuth = members["issuerAuth"] else {
            Issue.record("no IssuerSigned")
            return
        }
        members["issuerAuth"] = .tagged(18, issuerAuth)
        credential = .map(members)
        try scene.folder.write(Base64URL.encode(credential.encoded()), to: file)
    }

    @Test func namesTheOptionForKnownDeviations() async throws {
        let scene = try await OID4VPScene()
        try Self.addTag(in: scene)
        try await scene.request(
            OID4VPScene.Credential.mdoc.query,
            ["--response-uri", OID4VPScene.address, "--response-mode", "direct_post"]
        )
        let presented = await scene.present()
        #expect(presented.status == 0, "\(presented.errors)\(presented.output)")
        let strict = try await scene.verify()
        #expect(strict.status == 1, "\(strict.errors)")
        #expect(strict.output.contains("not tolerated: taggedCOSE"), "\(strict.output)")
        #expect(strict.output.contains("read with --tolerant"), "\(strict.output)")
        let tolerant = try await scene.verify(["--tolerant"])
        #expect(tolerant.status == 0, "\(tolerant.errors)\(tolerant.output)")
        #expect(!tolerant.output.contains("--tolerant"))
    }

    @Test func givesNoHintAtOtherRefusals() async throws {
        let scene = try await OID4VPScene()
        let options = ["--response-uri", OID4VPScene.address, "--response-mode", "direct_post"]
        try await scene.request(OID4VPScene.Credential.mdoc.query, options)
        _ = await scene.present()
        let untrusted = await Invocation.run(
            "oid4vp",
            "verify",
            scene.folder.path("answer.json"),
            "--transaction",
            scene.folder.path("transaction.json"),
            now: OID4VPScene.now
        )
        #expect(untrusted.status == 1 && !untrusted.output.contains("hint:"), "\(untrusted.output)")
    }
}
