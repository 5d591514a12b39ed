import CommandSupport
import CommandTesting
import Foundation
import JSONKit
import TestSupport
import Testing

@testable import CredentialTool

@Suite struct MdocCommandTests {
    private static let claims = """
        {"docType": "org.iso.18013.5.1.mDL", "nameSpaces": {"org.iso.18013.5.1": {
            "family_name": "Doe", "birth_date": "1990-02-28", "age_over_18": true, "height": 180,
            "portrait": {"base64url": "_9j_4A"},
            "driving_privileges": [{"vehicle_category_code": "B", "issue_date": "2019-05-04"}]
        }}}
        """

    private static func annexD(_ name: String) -> String {
        OwnVectors.url("iso-18013-5-annex-d/\(name).hex").path
    }

    /// Annex D's response holds a MAC: the reader's key is needed, as PEM.
    private static func readerKey(in folder: TemporaryFolder) throws -> String {
        let scalar = try OwnVectors.bytes(hex: "iso-18013-5-annex-d/ephemeral-reader-key-private.hex")
        let sec1 =
            [0x30, 0x31, 0x02, 0x01, 0x01, 0x04, 0x20] + scalar
            + [0xa0, 0x0a, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07]
        let base64 = Data(sec1).base64EncodedString()
        return try folder.write(
            "-----BEGIN EC PRIVATE KEY-----\n\(base64)\n-----END EC PRIVATE KEY-----\n",
            to: "reader.pem"
        )
    }

    private static func certificate(in folder: TemporaryFolder) throws -> String {
        let der = try OwnVectors.bytes(hex: "iso-18013-5-annex-d/iaca-certificate.hex")
        let path = folder.path("iaca.der")
        try Data(der).write(to: URL(fileURLWithPath: path))
        return path
    }

    /// Verifies Annex D's response against its authority at a time.
    private func verifyAnnexD(at time: String, _ options: String...) async throws -> Invocation {
        let folder = try TemporaryFolder()
        let arguments = [
            "mdoc", "verify", Self.annexD("device-response"), "--trust", try Self.certificate(in: folder),
            "--transcript", Self.annexD("session-transcript-bytes"), "--reader-key", try Self.readerKey(in: folder),
            "--at", time,
        ]
        return await Invocation.run(arguments: arguments + options)
    }

    @Test func verifiesAnnexD() async throws {
        let invocation = try await verifyAnnexD(at: "2020-12-01T00:00:00Z")
        #expect(invocation.status == 0, "\(invocation.errors)\(invocation.output)")
        #expect(invocation.output.hasPrefix("verdict: verified\n"))
        #expect(invocation.output.contains("family_name: \"Doe\""))
    }

    @Test func refusesAnnexDAfterItsTime() async throws {
        let invocation = try await verifyAnnexD(at: "2024-12-01T00:00:00Z")
        #expect(invocation.status == 1)
        #expect(invocation.output.contains("reason: invalidSignerCertificate"))
        #expect(!invocation.output.contains("Doe"))
    }

    @Test func demandsASessionForAResponse() async throws {
        let folder = try TemporaryFolder()
        let invocation = await Invocation.run(
            "mdoc",
            "verify",
            Self.annexD("device-response"),
            "--trust",
            try Self.certificate(in: folder)
        )
        #expect(invocation.status == 2)
        #expect(invocation.errors.contains("--transcript"))
    }

    /// test-pki, issue, verify, present and verify again, as one would in a shell.
    @Test func issuesPresentsAndVerifies() async throws {
        let folder = try TemporaryFolder()
        #expect(await Invocation.run("mdoc", "test-pki", folder.url.path).status == 0)
        let issued = await Invocation.run(
            "mdoc",
            "issue",
            try folder.write(Self.claims, to: "claims.json"),
            "--issuer-key",
            folder.path("document-signer-key.pem"),
            "--issuer-certificate",
            folder.path("document-signer.pem"),
            "--device-key",
            folder.path("device-key.pem")
        )
        #expect(issued.status == 0, "\(issued.errors)")
        #expect(issued.errors.contains("warning: org.iso.18013.5.1/given_name: missing"))
        let credential = try folder.write(issued.output, to: "credential.txt")
        let trusted = await Invocation.run("mdoc", "verify", credential, "--trust", folder.path("iaca.pem"))
        #expect(trusted.status == 0, "\(trusted.output)")
        #expect(trusted.output.contains("birth_date: 1004(\"1990-02-28\")"))

        let presented = await present(credential, in: folder, elements: ["org.iso.18013.5.1/age_over_18"])
        #expect(presented.status == 0, "\(presented.errors)")
        let response = try folder.write(presented.output, to: "response.txt")
        let verified = await verify(response, in: folder, nonce: "n-0S6_WzA2Mj")
        #expect(verified.status == 0, "\(verified.output)")
        #expect(verified.output.contains("age_over_18: true"))
        #expect(!verified.output.contains("family_name"))

        let replayed = await verify(response, in: folder, nonce: "another")
        #expect(replayed.status == 1)
        #expect(replayed.output.contains("reason: invalidHolderBinding"))
        #expect(replayed.output.contains("diagnosis: the device authenticated none of the"))

        let late = Date(timeIntervalSinceNow: 200 * 365 * 86400)
        let elements = ["org.iso.18013.5.1/age_over_18"]
        let expired = await present(credential, in: folder, elements: elements, now: late)
        #expect(expired.status != 0 && expired.output.isEmpty && expired.errors.contains("expired"))
    }

    @Test func testPKIReplacesNothingUnasked() async throws {
        let folder = try TemporaryFolder()
        let reader = try folder.write("a key of somebody", to: "reader-key.pem")
        let refused = await Invocation.run("mdoc", "test-pki", folder.url.path)
        #expect(refused.status == 2 && refused.errors.contains("reader-key.pem is there already; --force replaces it"))
        #expect(try String(contentsOfFile: reader, encoding: .utf8) == "a key of somebody")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["reader-key.pem"])
        let made = await Invocation.run("mdoc", "test-pki", folder.url.path, "--force")
        #expect(made.status == 0, "\(made.errors)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(names.count == 7)
        for name in names {
            let mode = try FileManager.default.attributesOfItem(atPath: folder.path(name))[.posixPermissions] as? Int
            let permitted = name.hasSuffix("-key.pem") ? 0o600 : 0o644
            #expect(mode.map { $0 & ~permitted } == 0, "\(name)")
        }
    }

    @Test func writesJSONForMachines() async throws {
        let folder = try TemporaryFolder()
        let made = await Invocation.run("mdoc", "test-pki", folder.url.path, "--json")
        let files = try #require(JSONValue(parsing: made.output)["files"]?.arrayValue)
        #expect(files.count == 7 && files.allSatisfy { FileManager.default.fileExists(atPath: $0.stringValue ?? "") })
        let arguments = [
            "mdoc", "issue", try folder.write(Self.claims, to: "claims.json"), "--issuer-key",
            folder.path("document-signer-key.pem"), "--issuer-certificate", folder.path("document-signer.pem"),
            "--device-key", folder.path("device-key.pem"), "--json",
        ]
        let issued = try JSONValue(parsing: await Invocation.run(arguments: arguments + ["--format", "hex"]).output)
        #expect(issued["kind"] == "mdoc IssuerSigned")
        #expect(issued["format"] == "hex")
        let bytes = try #require([UInt8](hex: issued["value"]?.stringValue ?? ""))
        #expect(issued["size"] == .number(JSONNumber(bytes.count)))
        let credential = try folder.write(bytes.hex, to: "credential.hex")
        let verified = await Invocation.run("mdoc", "verify", credential, "--trust", folder.path("iaca.pem"), "--json")
        let report = try JSONValue(parsing: verified.output)
        #expect(report["verdict"] == "verified")
        #expect(report["trustAnchor"] != nil)
        let elements = report["elements"]?["org.iso.18013.5.1"]
        #expect(elements?["birth_date"] == "1990-02-28")
        #expect(elements?["age_over_18"] == true && elements?["height"] == 180)
        #expect(elements?["portrait"] == "_9j_4A")
        #expect(elements?["driving_privileges"] == [["vehicle_category_code": "B", "issue_date": "2019-05-04"]])
        let inspected = try JSONValue(parsing: await Invocation.run("inspect", credential, "--json").output)
        let items = inspected["content"]?["nameSpaces"]?["org.iso.18013.5.1"]?.arrayValue ?? []
        #expect(items.first { $0["elementIdentifier"] == "birth_date" }?["elementValue"] == "1990-02-28")
        #expect(names(in: report).union(names(in: inspected)).filter { $0.contains(" ") } == [])
    }

    /// Every name of an object in a report.
    private func names(in value: JSONValue) -> Set<String> {
        switch value {
        case .object(let members): Set(members.names).union(members.flatMap { names(in: $0.value) })
        case .array(let elements): Set(elements.flatMap(names))
        default: []
        }
    }

    @Test func presentsWhatTheDocumentHas() async throws {
        let folder = try TemporaryFolder()
        let device = Self.annexD("device-key-private")
        let invocation = await present(device, in: folder, elements: ["org.iso.18013.5.1/family_name"])
        #expect(invocation.status == 2)
    }

    @Test(arguments: [
        "[]", "{\"docType\": 1}", "{\"docType\": \"a\", \"nameSpaces\": {\"n\": 1}}", "{\"a\":1,\"a\":2}",
    ])
    func refusesClaimsOfAnotherForm(_ claims: String) {
        #expect(throws: ToolError.self) { try MdocClaims(json: Array(claims.utf8)) }
    }

    @Test func checksClaimsAgainstTheTables() async throws {
        let folder = try TemporaryFolder()
        let invocation = await Invocation.run(
            "mdoc",
            "issue",
            try folder.write(Self.claims, to: "claims.json"),
            "--issuer-key",
            "missing.pem",
            "--issuer-certificate",
            "missing.pem",
            "--device-key",
            "missing.pem",
            "--check"
        )
        #expect(invocation.status == 1)
        #expect(invocation.output.contains("given_name"))
    }

    /// An OpenID4VP session with a nonce.
    private func session(_ nonce: String) -> [String] {
        ["--client-id", "x509_san_dns:rp.example", "--nonce", nonce, "--response-uri", "https://rp.example/r"]
    }

    private func present(
        _ credential: String,
        in folder: TemporaryFolder,
        elements: [String],
        now: Date = Date()
    ) async -> Invocation {
        let options = ["--device-key", folder.path("device-key.pem")] + elements.flatMap { ["--element", $0] }
        return await Invocation.run(
            arguments: ["mdoc", "present", credential] + options + session("n-0S6_WzA2Mj"),
            now: now
        )
    }

    private func verify(_ response: String, in folder: TemporaryFolder, nonce: String) async -> Invocation {
        await Invocation.run(
            arguments: ["mdoc", "verify", response, "--trust", folder.path("iaca.pem")] + session(nonce)
        )
    }
}
