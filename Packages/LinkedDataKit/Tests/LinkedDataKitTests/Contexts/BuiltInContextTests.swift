import CryptoCore
import JSONKit
import LinkedDataKit
import TestSupport
import Testing
import VerificationCore

struct BuiltInContextTests {
    private struct Published: Decodable {
        let url: String
        let file: String
        let sha256: String
    }

    @Test(.enabled(if: VectorSet("json-ld/contexts").isAvailable, VectorSet.absence))
    func eachGivesTheSameActiveContextAsThePublishedFile() throws {
        let set = VectorSet("json-ld/contexts")
        let index = try #require(set.file("index.json"))
        var published = ContextRegistry.empty
        var compared: [String] = []
        var passedOver: [(name: String, reason: String)] = []
        let files = try index.decode([Published].self)
        for file in files {
            let bytes = try #require(set.file(file.file)).bytes()
            try published.add(bytes, at: file.url, sha256: try #require([UInt8](hex: file.sha256)))
        }
        let ours = JSONLDProcessor()
        let theirs = JSONLDProcessor(contexts: published)
        for file in files {
            guard ContextRegistry.builtIn.urls.contains(ExactText(file.url)) else {
                passedOver.append((file.url, "not part of this module"))
                continue
            }
            let context = try ours.activeContext(of: .string(file.url))
            #expect(context == (try theirs.activeContext(of: .string(file.url))), "\(file.url)")
            #expect(!context.terms.isEmpty)
            compared.append(file.url)
        }
        #expect(!compared.isEmpty)
        index.report(ran: compared.count, passedOver: passedOver)
    }

    /// A credential that states the digests of the published files is refused for none of them.
    @Test(.enabled(if: VectorSet("json-ld/contexts").isAvailable, VectorSet.absence))
    func eachHasTheDigestsOfThePublishedFile() async throws {
        let set = VectorSet("json-ld/contexts")
        var compared = 0
        for file in try #require(set.file("index.json")).decode([Published].self) {
            guard ContextRegistry.builtIn.urls.contains(ExactText(file.url)) else { continue }
            let bytes = try #require(set.file(file.file)).bytes()
            let functions: [(String, HashAlgorithm)] = [("sha256", .sha256), ("sha384", .sha384), ("sha512", .sha512)]
            let digests = functions.map { name, function in
                JSONValue.string(name + "-" + JSONBase64.base64.encode(function.digest(of: bytes)))
            }
            let scene = try CredentialScene(.token2)
            let credential = try await scene.credential { members in
                members["relatedResource"] = ["id": .string(file.url), "digestSRI": .array(digests)]
            }
            let verification = try await scene.verifier().verify(credential)
            #expect(verification.verified != nil, "\(file.url): \(String(describing: verification.refusal))")
            let check = verification.checks.first { $0.check == .relatedResources }
            #expect(check?.outcome == .passed, "\(file.url)")
            compared += 1
        }
        #expect(compared > 10)
    }

    @Test func eachIsValidOnItsOwn() throws {
        let processor = JSONLDProcessor()
        for url in ContextRegistry.builtIn.urls {
            let context = try processor.activeContext(of: .string(url.text))
            #expect(!context.terms.isEmpty, "\(url)")
        }
        #expect(ContextRegistry.builtIn.urls.count == 14)
    }

    /// Bitstring Status List 1.0, section 5.2, prints the digest, and demands that the context counts as resolved.
    @Test func takesCredentialsWithTheContextOfBitstringStatusLists() async throws {
        let url: JSONValue = "https://www.w3.org/ns/credentials/status/v1"
        let digest = try #require(
            [UInt8](hex: "fda5add353231e6a6884a46b12e6c75464281900cb348284d9c360f62381d9f7")
        )
        for form in [CredentialScene.Form.dataIntegrity, .signature2020] {
            let scene = try CredentialScene(form)
            let credential = try await scene.credential { members in
                members["@context"] = .array((members["@context"]?.arrayValue ?? []) + [url])
                members["relatedResource"] =
                    form.version == .v1
                    ? nil : ["id": url, "digestSRI": .string("sha256-" + JSONBase64.base64.encode(digest))]
                members["credentialStatus"] = [
                    "id": "urn:uuid:7", "type": "BitstringStatusListEntry", "statusPurpose": "refresh",
                    "statusListIndex": "7", "statusListCredential": "https://status.example/1", "statusSize": 1,
                    "statusMessage": [["status": "0x0", "message": "a"], ["status": "0x1", "message": "b"]],
                    "statusReference": "https://status.example/about",
                ]
            }
            let verification = try await scene.verifier { $0.status = .waived }.verify(credential)
            let verified = try #require(verification.verified, "\(String(describing: verification.refusal))")
            let purpose = try verified.values(ofProperties: [
                "https://www.w3.org/2018/credentials#credentialStatus",
                "https://www.w3.org/ns/credentials/status#statusPurpose",
            ])
            #expect(purpose == [["@value": "refresh"]])
        }
    }

    @Test func refusesAnotherDigestOfTheContextOfBitstringStatusLists() async throws {
        let scene = try CredentialScene(.token2)
        let digest = "sha256-" + JSONBase64.base64.encode([UInt8](repeating: 7, count: 32))
        let credential = try await scene.credential { members in
            members["relatedResource"] = [
                "id": "https://www.w3.org/ns/credentials/status/v1", "digestSRI": .string(digest),
            ]
        }
        let verification = try await scene.verifier().verify(credential)
        #expect(verification.refusal?.check == .relatedResources)
        #expect(verification.refusal?.reason == .digestMismatch)
    }
}
