import JSONKit
import LinkedDataKit
import TestSupport
import Testing

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

    @Test func eachIsValidOnItsOwn() throws {
        let processor = JSONLDProcessor()
        for url in ContextRegistry.builtIn.urls {
            let context = try processor.activeContext(of: .string(url.text))
            #expect(!context.terms.isEmpty, "\(url)")
        }
        #expect(ContextRegistry.builtIn.urls.count == 13)
    }
}
