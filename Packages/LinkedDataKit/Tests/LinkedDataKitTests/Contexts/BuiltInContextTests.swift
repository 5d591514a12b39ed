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
        #expect(ContextRegistry.builtIn.urls.count == 13)
    }
}
