import CommandTesting
import CryptoCore
import Foundation
import JSONKit
import Testing

@testable import CredentialTool

/// Keys are generated, converted from form to form, and taken by the other commands in each of them.
@Suite struct KeyCommandTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func generate(_ options: String...) async -> Invocation {
        await Invocation.run(arguments: ["key", "generate"] + options)
    }

    private func convert(_ file: String, _ options: String...) async -> Invocation {
        await Invocation.run(arguments: ["key", "convert", file] + options)
    }

    @Test(arguments: ["P-256", "p-521", "brainpoolP256r1", "Ed25519", "X25519", "secp256k1", "RSA-2048"])
    func generatesAKeyOfEachType(_ type: String) async throws {
        let (secret, open) = (folder.path("key.pem"), folder.path("public.pem"))
        let made = await generate("--type", type, "--private-key", secret, "--public-key", open)
        #expect(made.status == 0, "\(made.errors)")
        let key = try PrivateKey(pem: String(contentsOfFile: secret, encoding: .utf8))
        #expect(try PublicKey(pem: String(contentsOfFile: open, encoding: .utf8)) == key.publicKey)
        let mode = try FileManager.default.attributesOfItem(atPath: secret)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(!made.output.contains("PRIVATE KEY"))
    }

    @Test func replacesNothingUnlessForced() async throws {
        let secret = try folder.write("mine", to: "key.pem")
        #expect(await generate("--private-key", secret).status == 2)
        #expect(try String(contentsOfFile: secret, encoding: .utf8) == "mine")
        #expect(await generate("--private-key", secret, "--force").status == 0)
        #expect(try String(contentsOfFile: secret, encoding: .utf8) != "mine")
    }

    @Test(arguments: ["P-255", "RSA-1024", "RSA-8192", "RSA-x", ""])
    func refusesAnUnknownType(_ type: String) async {
        let made = await generate("--type", type, "--private-key", folder.path("key.pem"))
        #expect(made.status == 2)
        #expect(!FileManager.default.fileExists(atPath: folder.path("key.pem")))
    }

    /// PEM, JWK and COSE_Key hold the same key, whatever way it came.
    @Test(arguments: ["P-384", "Ed448", "RSA-3072"])
    func convertsBetweenAllForms(_ type: String) async throws {
        let secret = folder.path("key.pem")
        #expect(await generate("--type", type, "--private-key", secret).status == 0)
        let key = try PrivateKey(pem: String(contentsOfFile: secret, encoding: .utf8))
        var file = secret
        for form in ["jwk", "cose", "pem", "cose", "jwk", "pem"] {
            let converted = await convert(file, "--format", form)
            #expect(converted.status == 0, "\(form): \(converted.errors)")
            file = try folder.write(converted.output, to: "key.\(form)")
        }
        #expect(try PrivateKey(pem: String(contentsOfFile: file, encoding: .utf8)).publicKey == key.publicKey)
        let open = await convert(file, "--format", "jwk", "--public", "--key-id", "k1")
        let jwk = try JSONValue(parsing: open.output)
        #expect(jwk["kid"] == "k1" && jwk["d"] == nil)
    }

    @Test func takesAPrivateKeyInEveryForm() async throws {
        let secret = folder.path("key.pem")
        #expect(await generate("--private-key", secret).status == 0)
        #expect(await Invocation.run("mdoc", "test-pki", folder.url.path).status == 0)
        let claims = try folder.write(
            #"{"docType":"a","nameSpaces":{"a":{"b":1}}}"#,
            to: "claims.json"
        )
        for form in ["pem", "jwk", "cose"] {
            let signer = await convert(folder.path("document-signer-key.pem"), "--format", form)
            let issued = await Invocation.run(
                "mdoc",
                "issue",
                claims,
                "--issuer-key",
                try folder.write(signer.output, to: "signer.\(form)"),
                "--issuer-certificate",
                folder.path("document-signer.pem"),
                "--device-key",
                secret
            )
            #expect(issued.status == 0, "\(form): \(issued.errors)")
        }
    }

    @Test func saysWhatAFileWithoutAKeyLacks() async throws {
        let text = try folder.write("just some text", to: "notes.txt")
        let converted = await convert(text, "--format", "jwk")
        #expect(converted.status == 2)
        #expect(converted.errors.contains("notes.txt holds no key"))
        #expect(converted.errors.contains("BEGIN PRIVATE KEY"))
        #expect(!converted.errors.contains("\n"))
        let verified = await Invocation.run(
            "jwt",
            "verify",
            try folder.write("eyJhbGciOiJFUzI1NiJ9.e30.AA", to: "token.jwt"),
            "--key",
            text
        )
        #expect(verified.status == 2)
        #expect(verified.errors.contains("notes.txt holds no key"))
        let open = try folder.write(try PrivateKey.generate(.p256).publicKey.pem, to: "public.pem")
        let issued = await Invocation.run(
            "mdoc",
            "issue",
            try folder.write(#"{"docType":"a","nameSpaces":{"a":{"b":1}}}"#, to: "claims.json"),
            "--issuer-key",
            open,
            "--issuer-certificate",
            open,
            "--device-key",
            open
        )
        #expect(issued.status == 2)
    }
}
