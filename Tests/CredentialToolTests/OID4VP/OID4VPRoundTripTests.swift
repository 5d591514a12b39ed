import CommandTesting
import Foundation
import JOSEKit
import JSONKit
import Testing

/// A request, the wallet's answer and its verification, as one would make them in a shell.
@Suite struct OID4VPRoundTripTests {
    private static let combinations = OID4VPScene.Credential.allCases.flatMap { credential in
        ["direct_post", "direct_post.jwt"].map { (credential, $0) }
    }

    @Test(arguments: combinations)
    func presentsAndVerifies(_ credential: OID4VPScene.Credential, mode: String) async throws {
        let scene = try await OID4VPScene()
        let requested = try await scene.request(
            credential.query,
            ["--response-uri", OID4VPScene.address, "--response-mode", mode]
        )
        #expect(requested.status == 0, "\(requested.errors)")
        let presented = await scene.present()
        #expect(presented.status == 0, "\(presented.errors)\(presented.output)")
        #expect(presented.output.hasPrefix("verdict: presented\n"))
        let answer = try JSONValue(parsing: try scene.text(of: "answer.json"))
        #expect((answer["response"] != nil) == (mode == "direct_post.jwt"))
        #expect((answer["vp_token"] != nil) == (mode == "direct_post"))
        let verified = try await scene.verify()
        #expect(verified.status == 0, "\(verified.errors)\(verified.output)")
        #expect(verified.output.hasPrefix("verdict: verified\n"))
        #expect(verified.output.contains(credential.claim))
        #expect(!verified.output.contains("given_name"), "what was not asked for")
    }

    /// A copy that may be presented once is spent when it is presented, not when the holder is asked.
    @Test(arguments: [OID4VPScene.Credential.mdoc, .sdJWT])
    func presentsEachCopyOfAWalletOnce(credential: OID4VPScene.Credential) async throws {
        let scene = try await OID4VPScene()
        try await scene.makeWallet()
        try await scene.request(credential.query, ["--response-uri", OID4VPScene.address])
        let declined = await scene.presentFromWallet(typing: ["n"])
        #expect(declined.status == 1)
        #expect(declined.output.hasPrefix("verdict: declined\n"), "\(declined.output)")
        let presented = await scene.presentFromWallet()
        #expect(presented.status == 0, "\(presented.errors)\(presented.output)")
        let verified = try await scene.verify()
        #expect(verified.status == 0, "\(verified.errors)\(verified.output)")
        #expect(verified.output.contains(credential.claim))
        let spent = await scene.presentFromWallet()
        #expect(spent.status == 1)
        #expect(spent.output.contains("unsatisfied"), "\(spent.output)")
    }

    /// Presentations at one time take the copies from each other, and each of them finds one in the end.
    @Test func presentsAsOftenAtOnceAsThereAreCopies() async throws {
        let (scene, count) = (try await OID4VPScene(), 6)
        try await scene.makeWallet(sdJWTs: count)
        try await scene.request(OID4VPScene.Credential.sdJWT.query, ["--response-uri", OID4VPScene.address])
        let presented = await withTaskGroup(of: Invocation.self) { group in
            for number in 0..<count {
                group.addTask { await scene.presentFromWallet(typing: ["y", "y"], to: "answer-\(number).json") }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        for invocation in presented {
            #expect(invocation.status == 0, "\(invocation.errors)\(invocation.output)")
        }
        let answers = try (0..<count).map { try scene.text(of: "answer-\($0).json") }
        let copies = Set(answers.compactMap { $0.split(separator: "~").first })
        #expect(copies.count == count, "no copy leaves twice")
    }

    /// Of two credentials that fit, the one whose key is at hand is presented, whichever comes first.
    @Test(arguments: [OID4VPScene.Credential.mdoc, .sdJWT])
    func choosesTheCredentialWhoseKeyIsAtHand(credential: OID4VPScene.Credential) async throws {
        let (scene, stranger) = (try await OID4VPScene(), try await OID4VPScene())
        try await scene.request(credential.query, ["--response-uri", OID4VPScene.address])
        func present(_ files: String...) async -> Invocation {
            await Invocation.run(
                arguments: [
                    "oid4vp", "present", scene.folder.path("request.txt"), "--yes", "--output",
                    scene.folder.path("answer.json"), "--force", "--holder-key", scene.folder.path("holder.pem"),
                ] + files.flatMap { ["--credential", $0] },
                now: OID4VPScene.now
            )
        }
        let keyless = stranger.folder.path(credential.rawValue)
        let presented = await present(keyless, scene.folder.path(credential.rawValue))
        #expect(presented.status == 0, "\(presented.errors)\(presented.output)")
        #expect(try await scene.verify().status == 0)
        let alone = await present(keyless)
        #expect(alone.status == 1)
        #expect(alone.output.contains("holderBinding"), "\(alone.output)\(alone.errors)")
    }

    /// A did:jwk may have the members of the key in any order, and more of them.
    @Test func findsTheHolderByTheKeyOfTheDID() async throws {
        let scene = try await OID4VPScene()
        try await scene.writeTokenForJWKHolder()
        let credential = OID4VPScene.Credential.token
        try await scene.request(credential.query, ["--response-uri", OID4VPScene.address])
        let presented = await scene.present()
        #expect(presented.status == 0, "\(presented.errors)\(presented.output)")
        let verified = try await scene.verify()
        #expect(verified.status == 0, "\(verified.errors)\(verified.output)")
    }

    /// A vocabulary that is accepted for `ld verify` is accepted for a presentation, too.
    @Test func presentsACredentialWithAVocabulary() async throws {
        let scene = try await OID4VPScene()
        let vocabulary = "https://vocabulary.example/"
        let credential = OID4VPScene.Credential.linkedData
        try await scene.writeLinkedData(contexts: [["@vocab": .string(vocabulary)]], ["colour": "blue"])
        try await scene.request(credential.query, ["--response-uri", OID4VPScene.address])
        let refused = await scene.present()
        #expect(refused.status == 2)
        let presented = await scene.present(["--yes", "--vocabulary", vocabulary])
        #expect(presented.status == 0, "\(presented.errors)\(presented.output)")
        let unnamed = try await scene.verify()
        #expect(unnamed.status == 1, "\(unnamed.errors)")
        #expect(unnamed.output.contains("accepted with --vocabulary"), "\(unnamed.output)")
        // The document defines the vocabulary itself, which its proof does not cover.
        let open = try await scene.verify(["--vocabulary", vocabulary])
        #expect(open.status == 1, "\(open.errors)")
        #expect(open.output.contains("reason: unexpectedContext"), "\(open.output)")
        let verified = try await scene.verify(["--vocabulary", vocabulary, "--tolerant"])
        #expect(verified.status == 0, "\(verified.errors)\(verified.output)")
        #expect(verified.output.contains("ownContext"), "\(verified.output)")
    }

    /// A base proof stays in the wallet, and so does what is not asked for.
    @Test func presentsWithAProofDerivedFromABaseProof() async throws {
        let scene = try await OID4VPScene()
        try await scene.writeLinkedData(suite: "ecdsa-sd-2023", ["note": "Hush"])
        let credential = OID4VPScene.Credential.linkedData
        try await scene.request(credential.query, ["--response-uri", OID4VPScene.address])
        let presented = await scene.present()
        #expect(presented.status == 0, "\(presented.errors)\(presented.output)")
        #expect(presented.output.contains(#""level": "gold""#) && !presented.output.contains("Hush"))
        #expect(try !scene.text(of: "answer.json").contains("Hush"))
        let verified = try await scene.verify()
        #expect(verified.status == 0, "\(verified.errors)\(verified.output)")
        #expect(verified.output.contains("level: gold") && !verified.output.contains("Hush"))
    }

    /// The signature holds for another form of the JSON, which has to be taken by name.
    @Test func takesOtherFormsOfCredentialsByName() async throws {
        let scene = try await OID4VPScene()
        let credential = OID4VPScene.Credential.linkedData
        let form = try scene.text(of: credential.rawValue).replacing("\"gold\"", with: "{\"@value\": \"gold\"}")
        try scene.folder.write(form, to: credential.rawValue)
        try await scene.request(credential.query, ["--response-uri", OID4VPScene.address])
        let presented = await scene.present()
        #expect(presented.status == 0, "\(presented.errors)\(presented.output)")
        let strict = try await scene.verify()
        #expect(strict.status == 1)
        #expect(strict.output.contains("reason: claimMismatch"), "\(strict.output)")
        let tolerant = try await scene.verify(["--tolerant"])
        #expect(tolerant.status == 0, "\(tolerant.errors)\(tolerant.output)")
        #expect(tolerant.output.contains("otherForms"), "\(tolerant.output)")
    }

    /// A key as `key generate` writes it, which says nothing of its algorithm.
    @Test(arguments: [["--key-id", "e1"], []])
    func encryptsToAKeyOfTheVerifier(name: [String]) async throws {
        let scene = try await OID4VPScene()
        let key = scene.folder.path("enc.jwk")
        let generated = await Invocation.run(
            arguments: [
                "key", "generate", "--format", "jwk", "--private-key", key, "--public-key",
                scene.folder.path("enc-public.jwk"),
            ] + name
        )
        #expect(generated.status == 0, "\(generated.errors)")
        let options = ["--response-uri", OID4VPScene.address, "--encryption-key", key]
        let requested = try await scene.request(OID4VPScene.Credential.sdJWT.query, options)
        #expect(requested.status == 0, "\(requested.errors)")
        let presented = await scene.present()
        #expect(presented.status == 0, "\(presented.errors)\(presented.output)")
        let verified = try await scene.verify()
        #expect(verified.status == 0, "\(verified.errors)\(verified.output)")
    }

    @Test func readsTheAnswerInEveryForm() async throws {
        let scene = try await OID4VPScene()
        let query = OID4VPScene.Credential.sdJWT.query
        try await scene.request(query, ["--response-uri", OID4VPScene.address, "--response-mode", "direct_post.jwt"])
        _ = await scene.present()
        let jwe = try #require(try JSONValue(parsing: try scene.text(of: "answer.json"))["response"]?.stringValue)
        for text in [jwe, "response=\(jwe)", "https://v.example/done#response=\(jwe)"] {
            try scene.folder.write(text, to: "answer.json")
            let verified = try await scene.verify()
            #expect(verified.status == 0, "\(verified.errors)\(verified.output)")
        }
    }

    /// The object is at hand, whichever method the link names.
    @Test(arguments: [[], ["--post"]])
    func followsHAIPByReference(method: [String]) async throws {
        let scene = try await OID4VPScene()
        let requested = try await scene.request(
            OID4VPScene.Credential.mdoc.query,
            scene.certified("x509_hash") + [
                "--response-uri", OID4VPScene.address, "--request-uri", "https://v.example/request", "--object",
                scene.folder.path("object.jwt"), "--profile", "haip",
            ] + method
        )
        #expect(requested.status == 0, "\(requested.errors)")
        #expect(requested.output.hasPrefix("haip-vp://?client_id=x509_hash"))
        #expect(requested.output.contains("request_uri_method=post") == !method.isEmpty)
        let options = [
            "--yes", "--trust", scene.folder.path("verifier-root.pem"), "--request-object",
            scene.folder.path("object.jwt"), "--profile", "haip",
        ]
        let presented = await scene.present(options)
        #expect(presented.status == 0, "\(presented.errors)\(presented.output)")
        #expect(presented.output.contains(#"(it signed, and "CN=Verifier root" vouches for it)"#))
        let verified = try await scene.verify(["--profile", "haip"])
        #expect(verified.status == 0, "\(verified.errors)\(verified.output)")
    }

    @Test func followsTheProfileOfISO18013_7() async throws {
        let scene = try await OID4VPScene()
        let definition: JSONValue = [
            "id": "mDL-request",
            "input_descriptors": [
                [
                    "id": "org.iso.18013.5.1.mDL", "format": ["mso_mdoc": ["alg": ["ES256"]]],
                    "constraints": [
                        "limit_disclosure": "required",
                        "fields": [["path": ["$['org.iso.18013.5.1']['family_name']"], "intent_to_retain": false]],
                    ],
                ]
            ],
        ]
        let requested = try await scene.request(
            definition,
            scene.certified("x509_san_dns:\(OID4VPScene.host)") + [
                "--response-uri", OID4VPScene.address, "--version", "draft21", "--profile", "iso18013-7",
                "--request-uri", "https://v.example/request", "--object", scene.folder.path("object.jwt"),
            ]
        )
        #expect(requested.status == 0, "\(requested.errors)")
        #expect(requested.output.hasPrefix("mdoc-openid4vp://?client_id="))
        let options = [
            "--yes", "--trust", scene.folder.path("verifier-root.pem"), "--request-object",
            scene.folder.path("object.jwt"), "--profile", "iso18013-7",
        ]
        let presented = await scene.present(options)
        #expect(presented.status == 0, "\(presented.errors)\(presented.output)")
        let verified = try await scene.verify()
        #expect(verified.status == 0, "\(verified.errors)\(verified.output)")
        #expect(verified.output.contains("family_name: Lovelace"))
    }

    /// The wallet shows a transaction, and authorizes none of a type that it was not told.
    @Test func authorizesATransaction() async throws {
        let scene = try await OID4VPScene()
        let query = OID4VPScene.Credential.sdJWT.query
        let id = try #require(query["credentials"]?[0]?["id"])
        let payment: JSONValue = [
            "type": "payment", "credential_ids": [id], "transaction_data_hashes_alg": ["sha-384", "sha-256"],
            "amount": "12 EUR",
        ]
        let file = try scene.folder.write(payment.text(), to: "payment.json")
        let requested = try await scene.request(
            query,
            ["--response-uri", OID4VPScene.address, "--transaction-data", file]
        )
        #expect(requested.status == 0, "\(requested.errors)")
        for options in [[], ["--transaction-type", "payment=payee"], ["--transaction-type", "transfer=amount"]] {
            let refused = await scene.present(["--yes"] + options)
            #expect(refused.status == 1 && refused.output.contains("error response: invalid_transaction_data"))
        }
        let presented = await scene.present(["--yes", "--transaction-type", "payment=amount,payee"])
        #expect(presented.status == 0, "\(presented.errors)\(presented.output)")
        #expect(presented.output.contains(#"The answer authorizes "payment":"#))
        #expect(presented.output.contains(#""amount": "12 EUR""#))
        let verified = try await scene.verify()
        #expect(verified.status == 0, "\(verified.errors)\(verified.output)")
    }

    /// The holder is told alone: another error than after a refusal would tell the verifier that a credential matches.
    @Test func refusesATransactionThatNoCredentialAuthorizes() async throws {
        let scene = try await OID4VPScene()
        let payment = #"{"type": "payment", "credential_ids": ["q"]}"#
        let file = try scene.folder.write(payment, to: "payment.json")
        // The device key of an mdoc authorizes only what its issuer permits.
        try await scene.request(
            OID4VPScene.Credential.mdoc.query,
            ["--response-uri", OID4VPScene.address, "--response-mode", "direct_post", "--transaction-data", file]
        )
        let refused = await scene.present(["--report-refusal", "--transaction-type", "payment"])
        #expect(refused.status == 1, "\(refused.errors)\(refused.output)")
        #expect(refused.output.contains("reason: invalidTransactionData"), "\(refused.output)")
        #expect(refused.output.contains("error response: access_denied"), "\(refused.output)")
        #expect(try scene.text(of: "answer.json").contains("access_denied"))
    }

    @Test func answersThePageOfAVerifier() async throws {
        let scene = try await OID4VPScene()
        let origin = ["--origin", "https://v.example"]
        let signed = scene.certified("x509_hash")
        for options in [origin, origin + signed] {
            let requested = try await scene.request(OID4VPScene.Credential.mdoc.query, options)
            #expect(requested.status == 0, "\(requested.errors)")
            let presented = await scene.present(["--yes", "--trust", scene.folder.path("verifier-root.pem")] + origin)
            #expect(presented.status == 0, "\(presented.errors)\(presented.output)")
            #expect(try JSONValue(parsing: try scene.text(of: "answer.json"))["data"]?["response"] != nil)
            let verified = try await scene.verify(origin)
            #expect(verified.status == 0, "\(verified.errors)\(verified.output)")
            let elsewhere = try await scene.verify(["--origin", "https://other.example"])
            #expect(elsewhere.status == 1, "\(elsewhere.errors)")
            #expect(elsewhere.output.contains("reason: originMismatch\ncheck: origin\n"), "\(elsewhere.output)")
            #expect(elsewhere.output.contains("not made for https://other.example"), "\(elsewhere.output)")
            #expect(!elsewhere.output.contains("Lovelace"))
        }
    }

    /// Machines get the request for a page as an object, not as text in a text.
    @Test func theReportHasTheRequestForAPageAsJSON() async throws {
        let scene = try await OID4VPScene()
        let options = ["--origin", "https://v.example", "--json"]
        let requested = try await scene.request(OID4VPScene.Credential.sdJWT.query, options)
        #expect(requested.status == 0, "\(requested.errors)")
        let request = try #require(try JSONValue(parsing: requested.output)["request"])
        #expect(request["protocol"] == "openid4vp-v1-unsigned" && request["data"]?["dcql_query"] != nil, "\(request)")
        try scene.folder.write(request.text(), to: "request.txt")
        let presented = await scene.present(["--yes", "--origin", "https://v.example"])
        #expect(presented.status == 0, "\(presented.errors)\(presented.output)")
        let verified = try await scene.verify(["--origin", "https://v.example"])
        #expect(verified.status == 0, "\(verified.errors)\(verified.output)")
    }

    @Test func theReportForMachinesHasTheDocumentedForm() async throws {
        let scene = try await OID4VPScene()
        let options = ["--response-uri", OID4VPScene.address, "--json"]
        let requested = try await scene.request(OID4VPScene.Credential.sdJWT.query, options)
        let request = try JSONValue(parsing: requested.output)
        #expect(request["client"] == "redirect_uri:https://v.example/response")
        try scene.folder.write(try #require(request["request"]?.stringValue), to: "request.txt")
        let presented = try JSONValue(parsing: await scene.present(["--yes", "--json"]).output)
        let summary = presented["summary"]
        let proof = #"An unknown verifier at "v.example" (it did not sign the request)"#
        #expect(summary?["verifier"]?["proof"] == .string(proof) && summary?["verifier"]?["signed"] == false)
        #expect(summary?["credentials"]?[0]?["types"] == ["urn:pid"])
        let claim: JSONValue = ["path": ["family_name"], "value": "Lovelace", "requested": true, "retained": false]
        #expect(summary?["credentials"]?[0]?["claims"] == [claim])
        let verified = try JSONValue(parsing: try await scene.verify(["--json"]).output)
        #expect(verified["credentials"]?["q"]?[0]?["claims"]?["family_name"] == "Lovelace")
        #expect(verified["verification"]?["verdict"] == "verified")
    }
}
