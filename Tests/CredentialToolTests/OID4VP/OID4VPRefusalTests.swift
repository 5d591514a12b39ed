import CommandTesting
import Foundation
import JSONKit
import Testing

/// The refusals of wallet and verifier on the command line, each with its reason and exit status.
@Suite struct OID4VPRefusalTests {
    private static let query = OID4VPScene.Credential.sdJWT.query
    private static let address = ["--response-uri", OID4VPScene.address]
    private static let clear = address + ["--response-mode", "direct_post"]

    // MARK: Verifier

    @Test func refusesOneFileForObjectAndTransaction() async throws {
        let scene = try await OID4VPScene()
        let options = ["--request-uri", "https://v.example/request", "--object", scene.folder.path("transaction.json")]
        let requested = try await scene.request(Self.query, Self.address + scene.certified("x509_hash") + options)
        #expect(requested.status == 2 && requested.errors.contains("cannot go to one file"), "\(requested.errors)")
        #expect(!FileManager.default.fileExists(atPath: scene.folder.path("transaction.json")))
    }

    /// Without a file the object would be lost, and the wallet would find nothing behind the reference.
    @Test func refusesAReferenceToAnObjectThatIsWrittenNowhere() async throws {
        let scene = try await OID4VPScene()
        let options = ["--request-uri", "https://v.example/request"]
        let requested = try await scene.request(Self.query, Self.address + scene.certified("x509_hash") + options)
        #expect(requested.status == 2 && requested.errors.contains("needs --object"), "\(requested.errors)")
        #expect(requested.output.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: scene.folder.path("transaction.json")))
    }

    @Test func namesTheFormOfTransactionData() async throws {
        let scene = try await OID4VPScene()
        let entry = #"{"type": "payment", "credential_ids": ["q"]}"#
        let requested = try await scene.request(Self.query, Self.clear + ["--transaction-data", entry])
        #expect(requested.status == 2)
        #expect(requested.errors.contains("takes a file with the JSON object"), "\(requested.errors)")
    }

    @Test(arguments: ["0", "-1", "1e30", "inf", "nan", "315576001"])
    func refusesALifetimeThatNoRequestHas(seconds: String) async throws {
        let scene = try await OID4VPScene()
        let requested = try await scene.request(Self.query, Self.clear + ["--lifetime=\(seconds)"])
        #expect(requested.status == 2 && requested.errors.contains("at most ten years"), "\(requested.errors)")
    }

    @Test func refusesTheAnswerToAnotherNonce() async throws {
        let scene = try await OID4VPScene()
        try await scene.request(Self.query, Self.clear)
        _ = await scene.present()
        var transaction = try #require(try JSONValue(parsing: try scene.text(of: "transaction.json")).objectValue)
        var expectation = try #require(transaction["expectation"]?.objectValue)
        expectation["nonce"] = "another"
        transaction["expectation"] = .object(expectation)
        try scene.folder.write(JSONValue.object(transaction).text(), to: "transaction.json")
        let verified = try await scene.verify()
        #expect(verified.status == 1, "\(verified.errors)")
        #expect(verified.output.contains("check: nonce"), "\(verified.output)")
        #expect(!verified.output.contains("Lovelace"))
    }

    @Test func refusesTheAnswerToAnotherTransaction() async throws {
        let scene = try await OID4VPScene()
        try await scene.request(Self.query, Self.clear)
        _ = await scene.present()
        try await scene.request(Self.query, Self.clear)
        let verified = try await scene.verify()
        #expect(verified.status == 1, "\(verified.errors)")
        #expect(verified.output.contains("check: state"))
    }

    @Test func refusesATamperedAnswer() async throws {
        let scene = try await OID4VPScene()
        try await scene.request(Self.query, Self.clear)
        _ = await scene.present()
        let answer = try scene.text(of: "answer.json")
        let disclosure = try #require(answer.split(separator: "~").dropFirst().first)
        try scene.folder.write(answer.replacing("\(disclosure)~", with: ""), to: "answer.json")
        let verified = try await scene.verify()
        #expect(verified.status == 1, "\(verified.errors)")
        #expect(verified.output.contains("reason: invalidHolderBinding"), "\(verified.output)")
    }

    @Test func refusesATamperedEncryption() async throws {
        let scene = try await OID4VPScene()
        try await scene.request(Self.query, Self.address)
        _ = await scene.present()
        let answer = try scene.text(of: "answer.json")
        let place = try #require(answer.lastIndex(of: ".")).utf16Offset(in: answer) + 3
        var characters = Array(answer)
        characters[place] = characters[place] == "A" ? "B" : "A"
        try scene.folder.write(String(characters), to: "answer.json")
        let verified = try await scene.verify()
        #expect(verified.status == 1, "\(verified.errors)")
        #expect(verified.output.contains("reason: decryptionFailed"), "\(verified.output)")
    }

    @Test func refusesPresentationsInTheClearWhereEncryptionWasAskedFor() async throws {
        let scene = try await OID4VPScene()
        try await scene.request(Self.query, Self.address)
        try scene.folder.write(#"{"vp_token": {"q": ["x"]}}"#, to: "answer.json")
        let verified = try await scene.verify()
        #expect(verified.status == 1, "\(verified.errors)")
        #expect(verified.output.contains("reason: notEncrypted"))
    }

    @Test(arguments: [(0, 0, "verdict: verified"), (1, 1, "reason: revoked"), (2, 1, "reason: suspended")])
    func followsTheStatusList(index: Int, status: Int32, text: String) async throws {
        let scene = try await OID4VPScene(statusIndex: index)
        try await scene.request(Self.query, Self.clear)
        _ = await scene.present()
        let verified = try await scene.verify(["--status", try await scene.statusList()])
        #expect(verified.status == status, "\(verified.errors)\(verified.output)")
        #expect(verified.output.contains(text), "\(verified.output)")
        let without = try await scene.verify()
        #expect(without.status == 1)
        #expect(without.output.contains("reason: statusUnknown"))
        #expect(try await scene.verify(["--ignore-status"]).status == 0)
    }

    @Test func refusesAnUntrustedIssuer() async throws {
        let scene = try await OID4VPScene()
        try await scene.request(OID4VPScene.Credential.linkedData.query, Self.clear)
        _ = await scene.present()
        let verified = await Invocation.run(
            arguments: [
                "oid4vp", "verify", scene.folder.path("answer.json"), "--transaction",
                scene.folder.path("transaction.json"),
            ] + scene.context,
            now: OID4VPScene.now
        )
        #expect(verified.status == 1, "\(verified.errors)")
        #expect(verified.output.contains("reason: issuerNotTrusted"), "\(verified.output)")
    }

    @Test func refusesAnAnswerAfterTheTransaction() async throws {
        let scene = try await OID4VPScene()
        try await scene.request(Self.query, Self.clear + ["--lifetime", "60"])
        _ = await scene.present()
        let verified = try await scene.verify(at: OID4VPScene.now + 61)
        #expect(verified.status == 1, "\(verified.errors)")
        #expect(verified.output.contains("reason: expired"))
        let unreadable = try await scene.verify(["--transaction", scene.folder.path("answer.json")])
        #expect(unreadable.status == 2)
    }

    @Test func showsTheWalletsError() async throws {
        let scene = try await OID4VPScene()
        try await scene.request(Self.query, Self.clear)
        let declined = await scene.present(["--report-refusal"], typing: ["n"])
        #expect(declined.status == 1)
        let verified = try await scene.verify()
        #expect(verified.status == 1, "\(verified.errors)")
        #expect(verified.output.contains("verdict: declined\nerror: access_denied"), "\(verified.output)")
    }

    // MARK: Wallet

    @Test func asksBeforeAnythingLeaves() async throws {
        let scene = try await OID4VPScene()
        try await scene.request(Self.query, Self.clear)
        let declined = await scene.present([], typing: ["no"])
        #expect(declined.status == 1)
        #expect(declined.output.hasPrefix("verdict: declined"))
        let lines = [
            #"  An unknown verifier at "v.example" (it did not sign the request) gets of "urn:pid":"#,
            #"    "family_name": "Lovelace""#, #"  The answer goes to "v.example""#, "answer: not encrypted",
            "Send this? [y/N]",
        ]
        for line in lines { #expect(declined.errors.contains(line), "\(line) in \(declined.errors)") }
        #expect(!declined.errors.contains("given_name"))
        #expect(!FileManager.default.fileExists(atPath: scene.folder.path("answer.json")))
        let permitted = await scene.present([], typing: [" Yes "])
        #expect(permitted.status == 0, "\(permitted.errors)")
    }

    @Test func refusesAnUnknownClient() async throws {
        let scene = try await OID4VPScene()
        try await scene.request(Self.query, Self.clear + ["--client", "shop"])
        func clients(_ id: String) throws -> [String] {
            let entry: JSONValue = [
                "client_id": .string(id), "response_uris": [.string(OID4VPScene.address)], "allow_unsigned": true,
            ]
            return ["--yes", "--clients", try scene.folder.write(JSONValue.array([entry]).text(), to: "clients.json")]
        }
        let unknown = await scene.present(try clients("other"))
        #expect(unknown.status == 1, "\(unknown.errors)")
        #expect(unknown.output.contains("reason: unknownClient"), "\(unknown.output)")
        let known = await scene.present(try clients("shop"))
        #expect(known.status == 0, "\(known.errors)\(known.output)")
        #expect(known.output.contains(#"The verifier "shop" (it is registered, and did not sign the request)"#))
    }

    @Test func refusesAnUntrustedAndAnExpiredRequest() async throws {
        let scene = try await OID4VPScene()
        let client = scene.certified("x509_san_dns:\(OID4VPScene.host)")
        try await scene.request(Self.query, Self.address + client + ["--lifetime", "60"])
        let untrusted = await scene.present()
        #expect(untrusted.status == 1, "\(untrusted.errors)")
        #expect(untrusted.output.contains("check: signature"), "\(untrusted.output)")
        let trust = ["--yes", "--trust", scene.folder.path("verifier-root.pem")]
        let expired = await scene.present(trust, at: OID4VPScene.now + 600)
        #expect(expired.status == 1, "\(expired.errors)")
        #expect(expired.output.contains("reason: expired"), "\(expired.output)")
        #expect(await scene.present(trust).status == 0)
    }

    @Test func tellsTheHolderAloneWhyNothingFits() async throws {
        let scene = try await OID4VPScene()
        let query: JSONValue = [
            "credentials": [["id": "q", "format": "dc+sd-jwt", "meta": ["vct_values": ["urn:other"]]]]
        ]
        try await scene.request(query, Self.clear)
        let presented = await scene.present(["--yes", "--report-refusal"])
        #expect(presented.status == 1, "\(presented.errors)")
        #expect(presented.output.contains("reason: unsatisfied"))
        #expect(presented.output.contains("type"))
        let answer = try scene.text(of: "answer.json")
        #expect(answer.contains("access_denied") && !answer.contains("urn:"))
    }

    @Test func showsTheDeviationsThatItTolerates() async throws {
        let scene = try await OID4VPScene()
        let query: JSONValue = [
            "credentials": [["id": "q", "format": "dc+sd-jwt", "claims": [["path": ["family_name"]]]]]
        ]
        let parameters: [(String, String)] = [
            ("client_id", "redirect_uri:\(OID4VPScene.address)"), ("response_type", "vp_token"), ("nonce", "a/b=="),
            ("response_mode", "direct_post"), ("state", "s\nproof: signed\u{1b}[2J"), ("dcql_query", query.text()),
        ]
        let items = parameters.map { name, value in
            "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")"
        }
        try scene.folder.write("openid4vp://?" + items.joined(separator: "&"), to: "request.txt")
        let strict = await scene.present()
        #expect(strict.status == 1)
        let tolerant = await scene.present(["--tolerant"], typing: ["y"])
        #expect(tolerant.status == 0, "\(tolerant.errors)\(tolerant.output)")
        for deviation in ["anyCharacters", "missingMeta"] {
            #expect(tolerant.errors.contains(deviation) && tolerant.output.contains(deviation))
        }
        #expect(!tolerant.errors.contains("proof: signed") && !tolerant.errors.contains("\u{1b}"))
        let named = await scene.present(["--yes", "--tolerate", "anyCharacters", "--tolerate", "missingMeta"])
        #expect(named.status == 0, "\(named.errors)\(named.output)")
    }

    // MARK: Command lines

    @Test(arguments: [
        ["request", "q.json", "--transaction", "t"],
        ["request", "q.json", "--transaction", "t", "--response-uri", "https://v.example/r", "--object", "o"],
        [
            "request", "q.json", "--transaction", "t", "--origin", "https://v.example", "--request-uri",
            "https://v.example/r",
        ],
        ["present", "-", "--credential", "c"], ["present", "r", "--credential", "c", "--tolerate", "everything"],
        ["verify", "a"], ["verify", "a", "--transaction", "t", "--tolerate-rule", "version"],
        ["verify", "a", "--transaction", "t", "--profile-algorithm", "ES384"],
        ["present", "r", "--credential", "c", "--transaction-type", "=amount"], ["present", "r"],
        ["present", "r", "--wallet", "w"], ["present", "r", "--credential", "c", "--wallet-key", "k"],
    ])
    func namesTheFaultOfACommandLine(arguments: [String]) async {
        let invocation = await Invocation.run(arguments: ["oid4vp"] + arguments)
        #expect(invocation.status == 2)
        #expect(!invocation.errors.isEmpty)
    }

    @Test func keepsAFileThatIsThere() async throws {
        let scene = try await OID4VPScene()
        try await scene.request(Self.query, Self.clear)
        let query = scene.folder.path("query.json")
        let again = await Invocation.run(
            arguments: ["oid4vp", "request", query, "--transaction", scene.folder.path("transaction.json")] + Self.clear
        )
        #expect(again.status == 2)
        #expect(again.errors.contains("--force"))
    }
}
