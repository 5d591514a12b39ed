import CommandTesting
import CryptoCore
import DIDKit
import Foundation
import JSONKit
import StatusListKit
import Testing

@testable import CredentialTool

@Suite struct LinkedDataCommandTests {
    private static let now = Date(timeIntervalSince1970: 1_780_000_000)

    /// A folder with the key of an issuer, and a credential that it can sign.
    private struct Scene {
        let folder: TemporaryFolder
        let key: String
        let did: String
        let credential: String

        init(_ extra: String = "", curve: EllipticCurve = .ed25519) throws {
            folder = try TemporaryFolder()
            let privateKey = try PrivateKey.generate(curve)
            key = try folder.write(privateKey.pem, to: "key.pem")
            did = try DID.key(privateKey.publicKey).text
            credential = try folder.write(
                """
                {"@context": "https://www.w3.org/ns/credentials/v2", "type": "VerifiableCredential", "issuer": "\(did)",
                 "validFrom": "2026-01-01T00:00:00Z", \(extra)
                 "credentialSubject": {"id": "did:example:alice", "name": "Alice"}}
                """,
                to: "credential.json"
            )
        }

        func sign(_ options: String...) async throws -> String {
            let signed = await Invocation.run(arguments: ["ld", "sign", credential, "--key", key] + options, now: now)
            try #require(signed.status == 0, "\(signed.errors)")
            return try folder.write(signed.output, to: "signed.json")
        }
    }

    @Test(arguments: ["eddsa-rdfc-2022", "eddsa-jcs-2022"])
    func signsAndVerifies(_ suite: String) async throws {
        let scene = try Scene()
        let signed = try await scene.sign("--suite", suite)
        let verified = await Invocation.run("ld", "verify", signed, "--trust", scene.did, now: Self.now)
        #expect(verified.status == 0, "\(verified.errors)\(verified.output)")
        #expect(verified.output.hasPrefix("verdict: verified\n"))
        #expect(verified.output.contains("name: Alice"))
        let asJSON = await Invocation.run("ld", "verify", signed, "--any-issuer", "--json", now: Self.now)
        #expect(try JSONValue(parsing: asJSON.output)["signer"]?.stringValue == scene.did)
    }

    @Test func derivesAndVerifies() async throws {
        let scene = try Scene("\"name\": \"Membership\",", curve: .p256)
        let signed = try await scene.sign("--suite", "ecdsa-sd-2023", "--mandatory", "/name")
        let base = await Invocation.run("ld", "verify", signed, "--trust", scene.did, now: Self.now)
        #expect(base.status == 1)
        #expect(base.output.contains("base proof, which is for the holder"), "\(base.output)")
        for (reveal, isNamed) in [([], false), (["--reveal", "/credentialSubject/name"], true)] {
            let derived = await Invocation.run(arguments: ["ld", "derive", signed, "--json"] + reveal, now: Self.now)
            #expect(derived.status == 0, "\(derived.errors)")
            let document = try JSONValue(parsing: derived.output)
            #expect(document["issuer"]?.stringValue == scene.did)
            #expect(document["validFrom"] != nil)
            #expect(document["name"] == "Membership")
            #expect(derived.output.contains("Alice") == isNamed)
            guard isNamed else { continue }
            let file = try scene.folder.write(derived.output, to: "derived.json")
            let verified = await Invocation.run("ld", "verify", file, "--trust", scene.did, now: Self.now)
            #expect(verified.status == 0, "\(verified.errors)\(verified.output)")
            let again = await Invocation.run("ld", "derive", file, "--reveal", "/name", now: Self.now)
            #expect(again.status == 2)
            #expect(again.errors.contains("nothing is derived from one"), "\(again.errors)")
        }
    }

    @Test func refusesToDeriveWhatIsNotThere() async throws {
        let scene = try Scene(curve: .p256)
        let signed = try await scene.sign("--suite", "ecdsa-sd-2023")
        let missing = await Invocation.run("ld", "derive", signed, "--reveal", "/evidence", now: Self.now)
        #expect(missing.status == 2)
        #expect(missing.errors.contains("the document has nothing at /evidence"), "\(missing.errors)")
        let unknown = await Invocation.run("ld", "derive", signed, "--proof", "urn:uuid:1", now: Self.now)
        #expect(unknown.errors.contains("no proof to derive one from"), "\(unknown.errors)")
        let malformed = await Invocation.run("ld", "derive", signed, "--reveal", "name", now: Self.now)
        #expect(malformed.status == 2)
        let other = await Invocation.run(
            arguments: ["ld", "sign", scene.credential, "--key", scene.key, "--mandatory", "/name"],
            now: Self.now
        )
        #expect(other.status == 2)
        #expect(other.errors.contains("--suite ecdsa-sd-2023"), "\(other.errors)")
    }

    @Test func refusesWithTheReason() async throws {
        let scene = try Scene()
        let signed = try await scene.sign()
        let untrusted = await Invocation.run("ld", "verify", signed, "--trust", "did:example:other", now: Self.now)
        #expect(untrusted.status == 1)
        #expect(untrusted.output.contains("reason: issuerNotTrusted"))
        #expect(!untrusted.output.contains("Alice"))
        let text = try String(contentsOfFile: signed, encoding: .utf8)
        let changed = try scene.folder.write(text.replacing("\"Alice\"", with: "\"Bob\""), to: "changed.json")
        let refused = await Invocation.run("ld", "verify", changed, "--trust", scene.did, now: Self.now)
        #expect(refused.output.contains("reason: invalidSignature"))
    }

    /// The signature holds for another form of the JSON, which has to be taken by name.
    @Test func takesOtherFormsByName() async throws {
        let scene = try Scene()
        let signed = try await scene.sign("--suite", "eddsa-rdfc-2022")
        let text = try String(contentsOfFile: signed, encoding: .utf8)
        let form = text.replacing("\"Alice\"", with: "{\"@value\": \"Alice\"}")
        let changed = try scene.folder.write(form, to: "changed.json")
        let strict = await Invocation.run("ld", "verify", changed, "--trust", scene.did, now: Self.now)
        #expect(strict.status == 1)
        #expect(strict.output.contains("reason: claimMismatch"), "\(strict.output)")
        let tolerant = await Invocation.run("ld", "verify", changed, "--trust", scene.did, "--tolerant", now: Self.now)
        #expect(tolerant.status == 0, "\(tolerant.errors)\(tolerant.output)")
        #expect(tolerant.output.contains("otherForms"), "\(tolerant.output)")
    }

    /// A form that verifiers refuse is signed by name alone.
    @Test func signsOtherFormsByName() async throws {
        let scene = try Scene("\"name\": {\"@value\": \"Membership\"},")
        let refused = await Invocation.run("ld", "sign", scene.credential, "--key", scene.key, now: Self.now)
        #expect(refused.status == 2)
        #expect(refused.errors.contains("tolerance otherForms"), "\(refused.errors)")
        _ = try await scene.sign("--tolerant")
    }

    @Test func verifiesPresentations() async throws {
        let scene = try Scene()
        let presentation = try scene.folder.write(
            """
            {"@context": "https://www.w3.org/ns/credentials/v2", "type": "VerifiablePresentation",
             "holder": "\(scene.did)"}
            """,
            to: "presentation.json"
        )
        let signed = await Invocation.run(
            arguments: ["ld", "sign", presentation, "--key", scene.key, "--purpose", "authentication"]
                + ["--challenge", "n-0S6", "--domain", "https://verifier.example"],
            now: Self.now
        )
        let file = try scene.folder.write(signed.output, to: "signed-presentation.json")
        let words = ["ld", "verify", file, "--any-issuer", "--domain", "https://verifier.example", "--challenge"]
        let verified = await Invocation.run(arguments: words + ["n-0S6"], now: Self.now)
        #expect(verified.status == 0, "\(verified.errors)\(verified.output)")
        #expect(verified.output.contains("holder: \(scene.did)"))
        let refused = await Invocation.run(arguments: words + ["other"], now: Self.now)
        #expect(refused.status == 1)
        #expect(refused.output.contains("check: nonce"))
    }

    @Test func namesTermPathAndContextOfAnError() async throws {
        let scene = try Scene("\"nmae\": \"x\",")
        for words in [["sign", scene.credential, "--key", scene.key], ["expand", scene.credential]] {
            let invocation = await Invocation.run(arguments: ["ld"] + words, now: Self.now)
            #expect(invocation.status == 2)
            #expect(invocation.errors.contains("droppedTerm in nmae: nmae has no definition"), "\(invocation.errors)")
            #expect(invocation.errors.contains("https://www.w3.org/ns/credentials/v2"))
        }
        let lenient = await Invocation.run("ld", "expand", scene.credential, "--lenient", now: Self.now)
        #expect(lenient.status == 0)
        #expect(!lenient.output.contains("nmae"))
    }

    @Test func namesTheOptionForVocabularies() async throws {
        let scene = try Scene()
        let context = "\"https://www.w3.org/ns/credentials/v2\""
        let text = try String(contentsOfFile: scene.credential, encoding: .utf8)
            .replacing(context, with: "[\(context), {\"@vocab\": \"https://v.example/\"}]")
            .replacing("\"name\"", with: "\"nick\"")
        try scene.folder.write(text, to: "credential.json")
        let unsigned = await Invocation.run("ld", "sign", scene.credential, "--key", scene.key, now: Self.now)
        #expect(unsigned.status == 2)
        #expect(unsigned.errors.contains("https://v.example/, which is no accepted vocabulary"), "\(unsigned.errors)")
        let vocabulary = ["--vocabulary", "https://v.example/"]
        let verify = ["ld", "verify", try await scene.sign(vocabulary[0], vocabulary[1]), "--trust", scene.did]
        let refused = await Invocation.run(arguments: verify, now: Self.now)
        #expect(refused.status == 1)
        #expect(refused.output.contains("reason: undefinedTerm"), "\(refused.output)")
        #expect(refused.output.contains("accepted with --vocabulary"), "\(refused.output)")
        let accepted = await Invocation.run(arguments: verify + vocabulary, now: Self.now)
        #expect(accepted.status == 0, "\(accepted.errors)\(accepted.output)")
        #expect(!accepted.output.contains("--vocabulary"))
    }

    @Test func expandsAndCanonicalizes() async throws {
        let folder = try TemporaryFolder()
        let context = try folder.write(#"{"@context": {"name": "https://schema.org/name"}}"#, to: "context.json")
        let document = try folder.write(
            #"{"@context": "https://example.org/v1", "@id": "_:x", "name": "Alice"}"#,
            to: "document.json"
        )
        let unknown = await Invocation.run("ld", "expand", document)
        #expect(unknown.status == 2)
        #expect(unknown.errors.contains("https://example.org/v1"))
        let option = ["--context", "https://example.org/v1=\(context)"]
        let expanded = await Invocation.run(arguments: ["ld", "expand", document, "--json"] + option)
        #expect(try JSONValue(parsing: expanded.output)[0]?["https://schema.org/name"] == [["@value": "Alice"]])
        let nQuads = await Invocation.run(arguments: ["ld", "nquads", document] + option)
        #expect(nQuads.output == #"_:b0 <https://schema.org/name> "Alice" ."#)
        let canonical = await Invocation.run(arguments: ["ld", "canonize", document] + option)
        #expect(canonical.output == #"_:c14n0 <https://schema.org/name> "Alice" ."#)
        let file = try folder.write(nQuads.output + "\n", to: "document.nq")
        let again = await Invocation.run("ld", "canonize", file, "--json")
        #expect(try JSONValue(parsing: again.output) == [.string(canonical.output)])
    }

    @Test func asksStatusLists() async throws {
        let url = "https://issuer.example/lists/1"
        let entry = try BitstringStatusListEntry(purpose: .revocation, index: 7, listURL: ExactText(url))
        let scene = try Scene("\"credentialStatus\": \(JSONValue.object(entry.json()).text()),")
        let signed = try await scene.sign()
        let unasked = await Invocation.run("ld", "verify", signed, "--trust", scene.did, now: Self.now)
        #expect(unasked.output.contains("reason: statusUnknown"))
        let ignored = await Invocation.run(
            "ld",
            "verify",
            signed,
            "--trust",
            scene.did,
            "--ignore-status",
            now: Self.now
        )
        #expect(ignored.status == 0)
        for (revoked, status) in [(7, Int32(1)), (8, 0)] {
            var list = try BitstringStatusList()
            try list.set(1, at: revoked)
            let credential = try scene.folder.write(
                """
                {"@context": "https://www.w3.org/ns/credentials/v2", "id": "\(url)", "issuer": "\(scene.did)",
                 "type": ["VerifiableCredential", "BitstringStatusListCredential"], "validFrom": "2026-01-01T00:00:00Z",
                 "credentialSubject": {"id": "\(url)#list", "type": "BitstringStatusList",
                 "statusPurpose": "revocation", "encodedList": "\(try list.encodedList())"}}
                """,
                to: "list.json"
            )
            let issued = await Invocation.run("ld", "sign", credential, "--key", scene.key, now: Self.now)
            let file = try scene.folder.write(issued.output, to: "signed-list.json")
            let asked = await Invocation.run(
                arguments: ["ld", "verify", signed, "--trust", scene.did, "--status-list", "\(url)=\(file)"],
                now: Self.now
            )
            #expect(asked.status == status, "\(asked.errors)\(asked.output)")
            let other = await Invocation.run(
                arguments: ["ld", "verify", signed, "--trust", scene.did, "--status-list", "\(url)0=\(file)"],
                now: Self.now
            )
            #expect(other.output.contains("reason: statusUnknown"))
            #expect(other.output.contains("name it with --status-list"), "\(other.output)")
        }
    }

    @Test func showsDIDs() async throws {
        let scene = try Scene()
        let document = await Invocation.run("ld", "did", scene.did, "--json")
        #expect(try JSONValue(parsing: document.output)["id"]?.stringValue == scene.did)
        let names = await Invocation.run("ld", "did", "--key", scene.key)
        #expect(names.output.contains("did:key: \(scene.did)"))
        #expect(names.output.contains("did:jwk: did:jwk:"))
        let unknown = await Invocation.run("ld", "did", "did:example:a")
        #expect(unknown.status == 2)
    }

    @Test func inspectsCredentialsAndDIDDocuments() async throws {
        let scene = try Scene()
        let credential = await Invocation.run("inspect", try await scene.sign())
        #expect(credential.output.contains("kind: credential with linked-data proofs"), "\(credential.output)")
        #expect(credential.output.contains("suite: eddsa-rdfc-2022"))
        let document = await Invocation.run("ld", "did", scene.did)
        let file = try scene.folder.write(document.output, to: "did.json")
        #expect(await Invocation.run("inspect", file).output.contains("kind: DID document"))
    }
}
