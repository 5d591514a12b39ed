import CommandTesting
import CryptoCore
import Foundation
import Testing

@testable import CredentialTool

@Suite struct SDJWTCommandTests {
    private static let now = Date(timeIntervalSince1970: 1_700_000_000)
    private static let verifier = ["--audience", "https://verifier.example", "--nonce", "-0S6_WzA2Mj"]

    /// A folder with keys and an issued credential with two claims that may be withheld.
    private struct Scene {
        let folder: TemporaryFolder
        let issuer: String
        let holder: String
        let credential: String

        init() async throws {
            folder = try TemporaryFolder()
            let issuerKey = try PrivateKey.generate(.p256)
            let holderKey = try PrivateKey.generate(.p256)
            issuer = try folder.write(issuerKey.publicKey.pem, to: "issuer.pem")
            holder = try folder.write(holderKey.pem, to: "holder.pem")
            let claims = try folder.write(
                #"{"given_name":"Erika","address":{"locality":"Köln","country":"DE"}}"#,
                to: "claims.json"
            )
            let issued = await Invocation.run(arguments: [
                "sdjwt", "issue", claims, "--issuer-key", try folder.write(issuerKey.pem, to: "issuer-private.pem"),
                "--credential-type", "https://issuer.example/person", "--holder-key", holder,
                "--conceal", "given_name", "--conceal", #"["address","locality"]"#, "--decoys", "2",
            ])
            try #require(issued.status == 0, "\(issued.errors)")
            credential = try folder.write(issued.output, to: "credential.sdjwt")
        }

        /// Presents one claim, bound to the verifier.
        func presentation(_ options: [String]) async throws -> String {
            let presented = await Invocation.run(
                arguments: ["sdjwt", "present", credential] + options,
                now: SDJWTCommandTests.now
            )
            try #require(presented.status == 0, "\(presented.errors)")
            return try folder.write(presented.output, to: "presentation.sdjwt")
        }

        func verification(of file: String, _ options: [String]) async -> Invocation {
            await Invocation.run(
                arguments: ["sdjwt", "verify", file, "--key", issuer] + options,
                now: SDJWTCommandTests.now
            )
        }
    }

    @Test func saysWhichOptionsABoundPresentationNeeds() async throws {
        let scene = try await Scene()
        let presentation = try await scene.presentation(["--holder-key", scene.holder] + Self.verifier)
        let verification = await scene.verification(of: presentation, [])
        #expect(verification.status == 1)
        #expect(verification.output.contains("hint: "))
        #expect(verification.output.contains("--audience") && verification.output.contains("--nonce"))
        #expect(await !scene.verification(of: presentation, Self.verifier).output.contains("hint: "))
    }

    @Test func disclosesOneClaimAndVerifies() async throws {
        let scene = try await Scene()
        let options = ["--disclose", "given_name", "--holder-key", scene.holder] + Self.verifier
        let presentation = try await scene.presentation(options)
        let verification = await scene.verification(of: presentation, Self.verifier)
        #expect(verification.status == 0, "\(verification.errors)\(verification.output)")
        #expect(verification.output.hasPrefix("verdict: verified\n"))
        #expect(verification.output.contains("given_name: Erika"))
        #expect(!verification.output.contains("Köln"))
    }

    @Test func refusesAnotherNonce() async throws {
        let scene = try await Scene()
        let presentation = try await scene.presentation(["--holder-key", scene.holder] + Self.verifier)
        let other = ["--audience", "https://verifier.example", "--nonce", "another"]
        let verification = await scene.verification(of: presentation, other)
        #expect(verification.status == 1)
        #expect(verification.output.hasPrefix("verdict: refused\n"))
        #expect(!verification.output.contains("Erika"))
    }

    @Test func refusesAPresentationWithoutTheKeyBindingAskedFor() async throws {
        let scene = try await Scene()
        let presentation = try await scene.presentation(["--disclose", "given_name"])
        #expect(await scene.verification(of: presentation, Self.verifier).status == 1)
        #expect(await scene.verification(of: presentation, []).status == 0)
    }

    @Test func refusesAnotherCredentialType() async throws {
        let scene = try await Scene()
        let options = ["--credential-type", "https://issuer.example/other"]
        let verification = await scene.verification(of: scene.credential, options)
        #expect(verification.status == 1)
    }

    @Test func refusesAnotherCredentialTypeOfAnySDJWT() async throws {
        let scene = try await Scene()
        let other = ["--any-type", "--credential-type", "https://issuer.example/other"]
        #expect(await scene.verification(of: scene.credential, other).status == 1)
        let same = ["--any-type", "--credential-type", "https://issuer.example/person"]
        #expect(await scene.verification(of: scene.credential, same).status == 0)
        #expect(await scene.verification(of: scene.credential, ["--any-type"]).status == 0)
    }

    @Test func demandsAllOfAKeyBinding() async throws {
        let scene = try await Scene()
        let present = await Invocation.run("sdjwt", "present", scene.credential, "--holder-key", scene.holder)
        #expect(present.status == 2)
        let verify = await scene.verification(of: scene.credential, ["--nonce", "1"])
        #expect(verify.status == 2)
    }

    @Test func refusesToDiscloseWhatIsNotThere() async throws {
        let scene = try await Scene()
        let invocation = await Invocation.run("sdjwt", "present", scene.credential, "--disclose", "birthdate")
        #expect(invocation.status == 2)
        #expect(invocation.errors.contains("birthdate"))
    }

    @Test func inspectsDisclosures() async throws {
        let scene = try await Scene()
        let inspection = await Invocation.run("inspect", scene.credential)
        #expect(inspection.output.hasPrefix("kind: SD-JWT\n"), "\(inspection.output)")
        #expect(inspection.output.contains("claim: locality"))
    }
}
