import CBORKit
import CommandTesting
import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import TestSupport
import Testing

@testable import CredentialTool

/// An error about an input names the file, the expected structure and the reason.
@Suite struct InputErrorTests {
    private let folder: TemporaryFolder

    init() async throws {
        folder = try TemporaryFolder()
        try #require(await Invocation.run("mdoc", "test-pki", folder.url.path).status == 0)
    }

    private func expectError(
        _ arguments: [String],
        containing texts: String...,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let invocation = await Invocation.run(arguments: arguments)
        #expect(invocation.status == 2, "\(invocation.output)", sourceLocation: sourceLocation)
        #expect(invocation.output.isEmpty, sourceLocation: sourceLocation)
        for text in texts {
            #expect(invocation.errors.contains(text), "\(invocation.errors)", sourceLocation: sourceLocation)
        }
    }

    @Test func saysWhyAnIssuerSignedIsUnreadable() async throws {
        let broken = CBOR.map(["issuerAuth": .array([.bytes([]), .map([:]), .null, .bytes([1])])])
        let file = try folder.write(broken.encoded().hex, to: "broken.hex")
        let arguments = ["mdoc", "verify", file, "--trust", folder.path("iaca.pem")]
        await expectError(arguments, containing: "broken.hex", "IssuerSigned")
        #expect(await !Invocation.run(arguments: arguments).errors.contains("version"))
        let inspection = await Invocation.run("inspect", file)
        #expect(inspection.output.contains("remarks:\n  - not IssuerSigned: "), "\(inspection.output)")
    }

    @Test func namesTheFile() async throws {
        let bad = try folder.write("a1", to: "bad.hex")
        let iaca = folder.path("iaca.pem")
        await expectError(["mdoc", "verify", bad, "--trust", iaca], containing: "bad.hex", "truncated")
        await expectError(["mdoc", "vical", bad], containing: "bad.hex", "VICAL")
        await expectError(["mdoc", "request", bad], containing: "bad.hex", "JSON")
        await expectError(["mdoc", "verify", bad, "--trust", bad], containing: "bad.hex", "certificate")
        await expectError(["jwt", "verify", bad, "--key", iaca], containing: "bad.hex", "JWT")
        await expectError(["jwt", "verify", bad, "--key", bad], containing: "bad.hex")
        await expectError(["sdjwt", "verify", bad, "--key", iaca], containing: "bad.hex", "SD-JWT")
        await expectError(["idemix", "inspect", bad], containing: "bad.hex")
        await expectError(["inspect", try folder.write("{\"a\":1,}", to: "bad.json")], containing: "bad.json", "JSON")
        let key = try folder.write("-----BEGIN PUBLIC KEY-----\nMAAA\n-----END PUBLIC KEY-----\n", to: "bad.pem")
        let claims = try folder.write("{}", to: "claims.json")
        await expectError(["sdjwt", "issue", claims, "--issuer-key", key], containing: "bad.pem")
        await expectError(["inspect", key], containing: "bad.pem")
    }

    @Test func reportsAJSONErrorAsOne() async throws {
        let invocation = await Invocation.run("inspect", try folder.write("{\"a\": 1, \"a\": 2}", to: "twice.json"))
        #expect(invocation.errors.contains("duplicateName"))
        #expect(!invocation.errors.contains("CBOR"))
    }

    @Test(arguments: [
        ["jwt", "verify", "-", "--key", "k", "--algorithm", "ES999"],
        ["jwt", "verify", "-", "--key", "k", "--clock-skew", "-1"],
        ["jwt", "verify", "-", "--key", "k", "--clock-skew", "nan"],
        ["jwt", "verify", "-", "--key", "k", "--at", "today"],
        ["sdjwt", "verify", "-", "--key", "k", "--maximum-age", "inf"],
        ["sdjwt", "issue", "-", "--issuer-key", "k", "--decoys", "-1"],
        ["sdjwt", "present", "-", "--disclose", "[1"], ["mdoc", "lint", "a", "--profile", "none"],
        ["idemix", "keygen", "--bits", "1"], ["jwt", "issue", "-", "--issuer-key", "k", "--algorithm", "none"],
    ])
    func refusesAWrongOptionValueBeforeItReads(_ arguments: [String]) async {
        await expectError(arguments)
    }

    @Test func refusesToIssueWithAnEmptyTypeOrAMalformedStatusURI() async throws {
        let keys = [
            "--issuer-key", folder.path("document-signer-key.pem"), "--issuer-certificate",
            folder.path("document-signer.pem"), "--device-key", folder.path("device-key.pem"),
        ]
        let empty = try folder.write(#"{"docType":"","nameSpaces":{"a":{"b":1}}}"#, to: "empty.json")
        await expectError(["mdoc", "issue", empty] + keys, containing: "empty.json", "docType")
        let claims = try folder.write(#"{"docType":"a","nameSpaces":{"a":{"b":1}}}"#, to: "claims.json")
        for uri in ["", "list", "https://", "ftp://a.example/x", "https://a.example/ x"] {
            let status = ["--status-list-uri", uri, "--status-list-index", "1"]
            await expectError(["mdoc", "issue", claims] + keys + status, containing: "--status-list-uri")
        }
        await expectError(["mdoc", "issue", claims, "--digest", "SHA-1"] + keys, containing: "SHA-1")
        let status = ["--status-list-uri", "https://a.example/lists/1", "--status-list-index", "1"]
        #expect(await Invocation.run(arguments: ["mdoc", "issue", claims] + keys + status).status == 0)
    }

    @Test(arguments: [
        ("0000-01-01", "0000-01-01T00:00:00Z"), ("0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z"),
        ("0001-01-01", "0001-01-01T00:00:00Z"), ("1500-02-28T23:59:59.9Z", "1500-02-28T23:59:59Z"),
        ("1582-10-10", "1582-10-10T00:00:00Z"), ("1900-02-28", "1900-02-28T00:00:00Z"),
        ("2024-02-29T12:00:00+01:00", "2024-02-29T11:00:00Z"), ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"),
    ])
    func printsTheTimeThatWasGiven(_ given: String, _ printed: String) async throws {
        let key = try PrivateKey.generate(.p256)
        let token = try await JWT.sign(["nbf": 32_503_680_000], with: SoftwareSigner(key)).compactSerialization()
        let invocation = await Invocation.run(
            "jwt",
            "verify",
            try folder.write(token, to: "token.jwt"),
            "--key",
            try folder.write(key.publicKey.pem, to: "key.pem"),
            "--at",
            given
        )
        #expect(invocation.output.contains("time: \(printed)\n") || invocation.output.hasSuffix("time: \(printed)"))
    }

    @Test(arguments: ["2023-02-29", "10000-01-01", "2023-1-1", "2023-01-01T25:00:00Z", "2023-01-01 00:00:00", ""])
    func refusesAMalformedTime(_ time: String) async {
        await expectError(["jwt", "verify", "-", "--key", "k", "--at", time])
    }

    @Test func takesOneTrustFileAtATime() async throws {
        let issued = await Invocation.run(
            arguments: [
                "mdoc", "issue", try folder.write(#"{"docType":"a","nameSpaces":{"a":{"b":1}}}"#, to: "claims.json"),
                "--issuer-key", folder.path("document-signer-key.pem"), "--issuer-certificate",
                folder.path("document-signer.pem"), "--device-key", folder.path("device-key.pem"),
            ]
        )
        let file = try folder.write(issued.output, to: "credential.txt")
        let trust = ["--trust", folder.path("reader-authority.pem"), "--trust", folder.path("iaca.pem")]
        let verified = await Invocation.run(arguments: ["mdoc", "verify"] + trust + [file])
        #expect(verified.status == 0, "\(verified.errors)\(verified.output)")
    }
}
