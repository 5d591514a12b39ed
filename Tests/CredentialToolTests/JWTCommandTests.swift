import CommandTesting
import CryptoCore
import Foundation
import JOSEKit
import Testing

@testable import CredentialTool

@Suite struct JWTCommandTests {
    private static let now = Date(timeIntervalSince1970: 1_700_000_000)

    /// A folder with a key pair and a token over `{"iss":"https://issuer.example","exp":…}`.
    private struct Scene {
        let folder: TemporaryFolder
        let publicKey: String
        let token: String

        init() async throws {
            folder = try TemporaryFolder()
            let key = try PrivateKey.generate(.p256)
            let privateKey = try folder.write(key.pem, to: "private.pem")
            publicKey = try folder.write(key.publicKey.pem, to: "public.pem")
            let claims = try folder.write(#"{"iss":"https://issuer.example","exp":1700000060}"#, to: "claims.json")
            let issued = await Invocation.run("jwt", "issue", claims, "--issuer-key", privateKey, "--key-id", "1")
            try #require(issued.status == 0, "\(issued.errors)")
            token = try folder.write(issued.output, to: "token.jwt")
        }
    }

    @Test func issuesAndVerifies() async throws {
        let scene = try await Scene()
        let invocation = await Invocation.run(
            "jwt",
            "verify",
            scene.token,
            "--key",
            scene.publicKey,
            "--issuer",
            "https://issuer.example",
            now: Self.now
        )
        #expect(invocation.status == 0, "\(invocation.errors)\(invocation.output)")
        #expect(invocation.output.hasPrefix("verdict: verified\n"))
        #expect(invocation.output.contains("iss: https://issuer.example"))
    }

    @Test(arguments: [
        (["--issuer", "https://other.example"], "claimMismatch", 0.0),
        (["--algorithm", "ES384"], "algorithmNotAllowed", 0.0),
        (["--type", "at+jwt"], "unexpectedType", 0.0),
        (["--clock-skew", "0"], "expired", 60.0), ([], "expired", 120.0),
    ])
    func refusesWithTheReason(_ options: [String], _ reason: String, _ later: TimeInterval) async throws {
        let scene = try await Scene()
        let invocation = await Invocation.run(
            arguments: ["jwt", "verify", scene.token, "--key", scene.publicKey] + options,
            now: Self.now + later
        )
        #expect(invocation.status == 1)
        #expect(invocation.output.contains("reason: \(reason)"), "\(invocation.output)")
        #expect(!invocation.output.contains("claims"))
    }

    @Test func refusesAnotherKey() async throws {
        let scene = try await Scene()
        let other = try scene.folder.write(try PrivateKey.generate(.p256).publicKey.pem, to: "other.pem")
        let invocation = await Invocation.run("jwt", "verify", scene.token, "--key", other, now: Self.now)
        #expect(invocation.status == 1)
        #expect(invocation.output.contains("reason: invalidSignature"))
    }

    @Test func demandsToKnowWhoseSignature() async throws {
        let scene = try await Scene()
        let invocation = await Invocation.run("jwt", "verify", scene.token)
        #expect(invocation.status == 2)
        #expect(invocation.errors.contains("--key"))
    }

    @Test func exitsWith2ForWhatIsNoToken() async throws {
        let scene = try await Scene()
        let text = try scene.folder.write("a.b", to: "text")
        let invocation = await Invocation.run("jwt", "verify", text, "--key", scene.publicKey)
        #expect(invocation.status == 2)
        #expect(invocation.output.isEmpty)
    }

    @Test func inspectsTokensAndKeys() async throws {
        let scene = try await Scene()
        let token = await Invocation.run("inspect", scene.token)
        #expect(token.output.hasPrefix("kind: JWT of the type JWT\n"), "\(token.output)")
        #expect(token.output.contains("kid: 1"))
        let jwk = try JWK(PrivateKey.generate(.p256))
        let secret = String(decoding: JSONText.of(jwk), as: UTF8.self)
        let key = await Invocation.run("inspect", try scene.folder.write(secret, to: "key.jwk"))
        #expect(key.output.hasPrefix("kind: JWK\n"), "\(key.output)")
        #expect(key.output.contains("private: yes"))
        #expect(!key.output.contains("\n    d: "))
    }
}
