import CBORKit
import COSEKit
import CommandTesting
import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import MdocKit
import MdocTrust
import TestSupport
import Testing

@testable import CredentialTool

/// Another party's text is printed so that it cannot pass for this command's own words.
@Suite struct HostileTextTests {
    private static let now = Date(timeIntervalSince1970: 1_700_000_000)

    /// Runs a command as text and as JSON, and checks both.
    @discardableResult
    private func run(
        _ arguments: [String],
        status: Int32,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async -> Invocation {
        let text = await Invocation.run(arguments: arguments, now: Self.now)
        #expect(text.status == status, "\(text.errors)\(text.output)", sourceLocation: sourceLocation)
        expectHarmless(text, sourceLocation: sourceLocation)
        let json = await Invocation.run(arguments: arguments + ["--json"], now: Self.now)
        expectHarmless(json, sourceLocation: sourceLocation)
        return text
    }

    @Test(arguments: HostileText.all)
    func inTokens(_ hostile: HostileText) async throws {
        let folder = try TemporaryFolder()
        let key = try PrivateKey.generate(.p256)
        let publicKey = try folder.write(key.publicKey.pem, to: "public.pem")
        let value = JSONValue.string(hostile.text)
        let claims = JWTClaims(JSONObject([(hostile.text, value), ("iss", value), ("nested", .array([value]))]))
        let header = JOSEHeader(JSONObject([("typ", value), ("kid", value), (hostile.text, value)]))
        let token = try await JWT.sign(claims, header: header, with: SoftwareSigner(key)).compactSerialization()
        let file = try folder.write(token, to: "token.jwt")
        await run(["inspect", file], status: 0)
        await run(["jwt", "verify", file, "--key", publicKey], status: 1)
        let verified = await run(["jwt", "verify", file, "--key", publicKey, "--type", hostile.text], status: 0)
        #expect(verified.output.split(separator: "\n").count { $0.hasPrefix("verdict: ") } == 1)
        await run(["jwt", "verify", file, "--key", publicKey, "--issuer", "other"], status: 1)
    }

    @Test(arguments: HostileText.all)
    func inSDJWTs(_ hostile: HostileText) async throws {
        let folder = try TemporaryFolder()
        let key = try PrivateKey.generate(.p256)
        let publicKey = try folder.write(key.publicKey.pem, to: "public.pem")
        let privateKey = try folder.write(key.pem, to: "private.pem")
        let claims = try folder.write(
            "{\(hostile.json): \(hostile.json), \"open\": {\(hostile.json): 1}}",
            to: "c.json"
        )
        let issued = await Invocation.run(
            arguments: [
                "sdjwt", "issue", claims, "--issuer-key", privateKey, "--credential-type", hostile.text, "--key-id",
                hostile.text, "--conceal", "[\(hostile.json)]",
            ]
        )
        try #require(issued.status == 0, "\(issued.errors)")
        let file = try folder.write(issued.output, to: "credential.sdjwt")
        await run(["inspect", file], status: 0)
        await run(["sdjwt", "verify", file, "--key", publicKey], status: 0)
        await run(["sdjwt", "verify", file, "--key", publicKey, "--credential-type", "other"], status: 1)
        await run(["sdjwt", "present", file, "--disclose", "other\(hostile.text)"], status: 2)
    }

    @Test(arguments: HostileText.all)
    func inMobileDocuments(_ hostile: HostileText) async throws {
        let folder = try TemporaryFolder()
        try #require(await Invocation.run("mdoc", "test-pki", folder.url.path).status == 0)
        let claims = """
            {"docType": \(hostile.json), "nameSpaces": {\(hostile.json): {\(hostile.json): \(hostile.json)}}}
            """
        let issued = await Invocation.run(
            arguments: [
                "mdoc", "issue", try folder.write(claims, to: "claims.json"), "--issuer-key",
                folder.path("document-signer-key.pem"), "--issuer-certificate", folder.path("document-signer.pem"),
                "--device-key", folder.path("device-key.pem"),
            ]
        )
        try #require(issued.status == 0, "\(issued.errors)")
        let credential = try folder.write(issued.output, to: "credential.txt")
        let trust = folder.path("iaca.pem")
        expectHarmless(await Invocation.run("inspect", credential, "--notation"))
        expectHarmless(await Invocation.run("mdoc", "verify", credential, "--trust", trust))
        expectHarmless(await Invocation.run("mdoc", "verify", credential, "--trust", trust, "--json"))
        // Long after the signer's certificate.
        await run(["mdoc", "verify", credential, "--trust", trust, "--at", "2100-01-01"], status: 1)
        let session = ["--client-id", "x", "--nonce", "n", "--response-uri", "https://rp.example/r"]
        await run(
            ["mdoc", "present", credential, "--device-key", folder.path("device-key.pem"), "--element", hostile.text]
                + session,
            status: 2
        )
        let items = try folder.write(
            "{\"docType\": \(hostile.json), \"nameSpaces\": {\(hostile.json): {\(hostile.json): true}}}",
            to: "items.json"
        )
        let request = await Invocation.run("mdoc", "request", items)
        await run(["inspect", try folder.write(request.output, to: "request.txt")], status: 0)
        let wrong = try folder.write("{\"docType\": \"a\", \"nameSpaces\": {\(hostile.json): 1}}", to: "wrong.json")
        await run(["mdoc", "request", wrong], status: 2)
    }

    @Test(arguments: HostileText.all)
    func inCertificates(_ hostile: HostileText) async throws {
        let folder = try TemporaryFolder()
        let signer = try SoftwareSigner(PrivateKey.generate(.p256))
        let authority = try await CertificateAuthority.iaca(
            subject: DistinguishedName(countryName: "UT", organizationName: hostile.text, commonName: hostile.text),
            contact: .uri("https://utopia.example/iaca"),
            signer: signer,
            validity: Self.now...Self.now.addingTimeInterval(86_400)
        )
        let file = try folder.write(authority.certificate.pem, to: "iaca.pem")
        await run(["inspect", file], status: 0)
        expectHarmless(await Invocation.run("mdoc", "lint", file))
        expectHarmless(await Invocation.run("mdoc", "lint", file, "--json"))
        let leaf = try await CertificateBuilder(
            subject: DistinguishedName(commonName: hostile.text),
            publicKey: signer.publicKey,
            validity: Self.now...Self.now.addingTimeInterval(86_400)
        ).issued(by: authority)
        // It claims no profile: the message names its subject.
        await run(["mdoc", "lint", try folder.write(leaf.pem, to: "leaf.pem")], status: 2)
    }

    @Test(arguments: HostileText.all)
    func inTrustLists(_ hostile: HostileText) async throws {
        let folder = try TemporaryFolder()
        let key = try PrivateKey.generate(.p256)
        let validity = Self.now.addingTimeInterval(-86_400)...Self.now.addingTimeInterval(86_400)
        let root = try await CertificateAuthority.iaca(
            subject: DistinguishedName(countryName: "UT", organizationName: hostile.text, commonName: hostile.text),
            contact: .uri("https://utopia.example/lists"),
            signer: SoftwareSigner(PrivateKey.generate(.p256)),
            validity: validity
        )
        let signer = try await root.issueVICALSigner(
            subject: DistinguishedName(countryName: "UT", organizationName: hostile.text, commonName: hostile.text),
            publicKey: key.publicKey,
            validity: validity,
            revocationListURI: "https://utopia.example/crl"
        )
        var issuers = VICALBuilder(provider: hostile.text, date: Self.now)
        issuers.url = hostile.text
        try issuers.add(
            root.certificate,
            docTypes: [DocType(hostile.text)],
            certificateProfiles: [hostile.text],
            issuingAuthority: hostile.text
        )
        let vical = try await issuers.sign(with: SoftwareSigner(key), x5chain: [signer])
        let file = try folder.write([UInt8](vical.encodedBytes).hex, to: "vical.hex")
        let trust = try folder.write(root.certificate.pem, to: "root.pem")
        await run(["inspect", file], status: 0)
        await run(["mdoc", "vical", file], status: 0)
        await run(["mdoc", "vical", file, "--trust", trust], status: 0)
        // Another root, of the same hostile name.
        let other = try await CertificateAuthority.iaca(
            subject: root.certificate.subject,
            contact: .uri("https://utopia.example/lists"),
            signer: SoftwareSigner(PrivateKey.generate(.p256)),
            validity: validity
        )
        let wrong = try folder.write(other.certificate.pem, to: "other.pem")
        await run(["mdoc", "vical", file, "--trust", wrong], status: 1)

        var readers = RICALBuilder(provider: hostile.text, date: Self.now)
        readers.type = hostile.text
        readers.latestURL = hostile.text
        try readers.add(
            root.certificate,
            name: hostile.text,
            type: hostile.text,
            trustConstraints: [[.text(hostile.text): .text(hostile.text)]]
        )
        let rical = try await readers.sign(with: SoftwareSigner(key), x5chain: [signer])
        await run(["inspect", try folder.write([UInt8](rical.encodedBytes).hex, to: "rical.hex")], status: 0)
    }

    @Test(arguments: HostileText.all)
    func inCBORAndCOSE(_ hostile: HostileText) async throws {
        let folder = try TemporaryFolder()
        let text = CBOR.text(hostile.text)
        let map = CBOR.map([text: text])
        await run(["inspect", try folder.write(map.encoded().hex, to: "map.hex")], status: 0)
        // Two equal keys: the error names the key.
        let twice = [0xa2] + text.encoded() + [0x01] + text.encoded() + [0x02]
        await run(["inspect", try folder.write(twice.hex, to: "twice.hex")], status: 2)
        let sign1 = CBOR.array([
            .bytes(CBOR.map([text: text]).encoded()), .map([:]), .bytes(map.encoded()), .bytes([1]),
        ])
        await run(["inspect", try folder.write(sign1.encoded().hex, to: "sign1.hex")], status: 0)
        let key = CBOR.map([1: text, -1: text])
        await run(["inspect", try folder.write(key.encoded().hex, to: "key.hex")], status: 0)
    }

    @Test(arguments: HostileText.all)
    func inJSON(_ hostile: HostileText) async throws {
        let folder = try TemporaryFolder()
        await run(["inspect", try folder.write("{\(hostile.json): [\(hostile.json)]}", to: "a.json")], status: 0)
        let twice = "{\(hostile.json): {\(hostile.json): 1, \(hostile.json): 2}}"
        await run(["inspect", try folder.write(twice, to: "b.json")], status: 2)
        await run(["inspect", try folder.write("{\"kty\": \(hostile.json)}", to: "c.json")], status: 0)
        await run(["idemix", "inspect", try folder.write("{\"message\": \(hostile.json)}", to: "d.json")], status: 2)
    }

    @Test(arguments: HostileText.all)
    func inNamesOfFilesAndOptions(_ hostile: HostileText) async throws {
        let folder = try TemporaryFolder()
        await run(["inspect", hostile.fileName], status: 2)
        await run(["inspect", folder.path(hostile.fileName)], status: 2)
        await run(["inspect", "--\(hostile.fileName)"], status: 2)
        await run(["inspect", "a", "b\(hostile.fileName)"], status: 2)
        await run(["jwt", "verify", "a", "--key", "b", "--at", hostile.fileName], status: 2)
        await run(["jwt", "verify", "a", "--key", "b", "--at=\(hostile.fileName)"], status: 2)
        await run(["mdoc", "lint", "a", "--profile", hostile.fileName], status: 2)
        await run(["mdoc", "test-pki", folder.path(hostile.fileName.replacing("\n", with: ""))], status: 0)
    }

    @Test func showsABackslashUnambiguously() async throws {
        let folder = try TemporaryFolder()
        let claims = try folder.write(#"{"a":"\u202e","b":"\\u{202E}"}"#, to: "claims.json")
        let key = try PrivateKey.generate(.p256)
        let issued = await Invocation.run(
            "jwt",
            "issue",
            claims,
            "--issuer-key",
            try folder.write(key.pem, to: "key.pem")
        )
        let output = await Invocation.run("inspect", try folder.write(issued.output, to: "token.jwt")).output
        #expect(output.contains(#"a: \u{202E}"#))
        #expect(output.contains(#"b: \\u{202E}"#))
    }

    @Test func escapesJSONByTheRulesOfJSON() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("{\"a\": \"\u{9b}\u{202e}\u{e0041}\"}", to: "a.json")
        let output = await Invocation.run("inspect", "--json", file).output
        #expect(output.unicodeScalars.allSatisfy { (0x20..<0x7f).contains($0.value) }, "\(output)")
        let content = try #require(JSONValue(parsing: output)["content"]?.stringValue)
        #expect(try JSONValue(parsing: content)["a"] == "\u{9b}\u{202e}\u{e0041}")
    }
}
