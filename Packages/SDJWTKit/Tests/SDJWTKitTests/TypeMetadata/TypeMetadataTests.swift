import CredentialTransport
import CryptoCore
import Foundation
import JSONKit
import SDJWTKit
import Testing

@Suite struct TypeMetadataTests {
    private func source(_ documents: [ExactText: JSONValue]) -> LocalTypeMetadata {
        LocalTypeMetadata(documents.mapValues { $0.encoded() })
    }

    private func integrity(_ value: JSONValue) -> String {
        "sha256-\(Data(HashAlgorithm.sha256.digest(of: value.encoded())).base64EncodedString())"
    }

    /// The example of SD-JWT VC, extending claim metadata.
    @Test func anExtendingTypeInheritsAndOverrides() async throws {
        let base: JSONValue = [
            "vct": "https://example.com/base", "display": [["locale": "en", "name": "Base"]],
            "claims": [
                ["path": ["name"], "display": [["label": "Full Name", "locale": "en"]], "sd": "always"],
                [
                    "path": ["address", "city"],
                    "display": [["label": "City", "locale": "en"], ["label": "Stadt", "locale": "de"]],
                ],
            ],
        ]
        let child: JSONValue = [
            "vct": "https://example.com/custom", "extends": "https://example.com/base",
            "extends#integrity": .string(integrity(base)),
            "claims": [
                [
                    "path": ["address", "city"], "display": [["label": "Town", "locale": "en"]], "mandatory": true,
                    "sd": "never",
                ],
                ["path": ["nationalities"], "display": [["label": "Nationalities", "locale": "en"]]],
            ],
        ]
        let documents = source(["https://example.com/base": base, "https://example.com/custom": child])
        let metadata = try await TypeMetadata.load("https://example.com/custom", from: documents)
        #expect(metadata.types == ["https://example.com/custom", "https://example.com/base"])
        #expect(metadata.display.map(\.name) == ["Base"])
        #expect(metadata.claims.map(\.path) == [["name"], ["address", "city"], ["nationalities"]])
        #expect(metadata.claims[0].selectiveDisclosure == .always)
        #expect(metadata.claims[1].display?.map(\.label) == ["Town"])
        #expect(metadata.claims[1].isMandatory)
        #expect(metadata.claims[1].selectiveDisclosure == .never)
        let own = try await TypeMetadata.load("https://example.com/base", from: documents)
        #expect(own.claims[1].display?.count == 2)
    }

    @Test(
        arguments: [
            (["path": ["a"], "sd": "always"], ["path": ["a"], "sd": "never"]),
            (["path": ["a"], "sd": "never"], ["path": ["a"], "sd": "allowed"]),
            (["path": ["a"], "mandatory": true], ["path": ["a"], "mandatory": false]),
        ] as [(JSONValue, JSONValue)]
    )
    func anExtendingTypeCannotChangeWhatIsFixed(base: JSONValue, child: JSONValue) async {
        let documents = source([
            "base": ["vct": "base", "claims": [base]], "child": ["vct": "child", "extends": "base", "claims": [child]],
        ])
        await expectRefusal(.invalidExtension) { try await TypeMetadata.load("child", from: documents) }
    }

    @Test func anExtendingTypeMayRepeatWhatIsFixed() async throws {
        let claim: JSONValue = ["path": ["a"], "sd": "never", "mandatory": true]
        let documents = source([
            "base": ["vct": "base", "claims": [claim]],
            "child": ["vct": "child", "extends": "base", "claims": [claim]],
        ])
        #expect(try await TypeMetadata.load("child", from: documents).claims.count == 1)
    }

    @Test func namesOfPlacesAreDistinctOverAllTypes() async {
        let documents = source([
            "base": ["vct": "base", "claims": [["path": ["a"], "svg_id": "x"]]],
            "child": ["vct": "child", "extends": "base", "claims": [["path": ["b"], "svg_id": "x"]]],
        ])
        await expectRefusal(.malformedTypeMetadata) { try await TypeMetadata.load("child", from: documents) }
    }

    @Test func circlesAndLongChainsAreRefused() async throws {
        let circle = source([
            "a": ["vct": "a", "extends": "b"], "b": ["vct": "b", "extends": "a"], "c": ["vct": "c", "extends": "c"],
        ])
        await expectRefusal(.circularExtension) { try await TypeMetadata.load("a", from: circle) }
        await expectRefusal(.circularExtension) { try await TypeMetadata.load("c", from: circle) }
        let chain = (0...8).map { index -> (ExactText, JSONValue) in
            var document: JSONObject = ["vct": .string("\(index)")]
            if index < 8 { document["extends"] = .string("\(index + 1)") }
            return (ExactText("\(index)"), .object(document))
        }
        let documents = source(Dictionary(uniqueKeysWithValues: chain))
        #expect(try await TypeMetadata.load("1", from: documents).types.count == 8)
        await expectRefusal(.limitExceeded) { try await TypeMetadata.load("0", from: documents) }
    }

    @Test func documentsMustBeThoseThatAreMeant() async throws {
        let base: JSONValue = ["vct": "base"]
        let other = integrity(["vct": "other"])
        let documents = source([
            "base": base, "child": ["vct": "child", "extends": "base", "extends#integrity": .string(other)],
            "alias": base, "orphan": ["vct": "orphan", "extends": "nobody"],
        ])
        await expectRefusal(.integrityMismatch) { try await TypeMetadata.load("child", from: documents) }
        // Digests that nothing can have do no harm to the document that names them (SD-JWT VC, integrity of referenced
        // documents).
        for text in ["sha3-256-AAAA", "sha256-AAAA", ""] {
            let child: JSONValue = ["vct": "child", "extends": "base", "extends#integrity": .string(text)]
            #expect(try TypeMetadataDocument(decoding: child.encoded()).extendsIntegrity?.text == text)
            let documents = source(["base": base, "child": child])
            await expectRefusal(.integrityMismatch) { try await TypeMetadata.load("child", from: documents) }
        }
        await expectRefusal(.integrityMismatch) {
            try await TypeMetadata.load("base", integrity: IntegrityMetadata(other), from: documents)
        }
        await expectRefusal(.malformedTypeMetadata) { try await TypeMetadata.load("alias", from: documents) }
        await expectRefusal(.typeMetadataNotFound) { try await TypeMetadata.load("orphan", from: documents) }
        await expectRefusal(.typeMetadataNotFound) { try await TypeMetadata.load("nobody", from: documents) }
    }

    @Test func documentsAreFetchedFromTheNameOfTheType() async throws {
        let document: JSONValue = ["vct": "https://example.com/type"]
        let transport = InMemoryHTTPTransport([
            "https://example.com/type": .ok(document.encoded(), type: .json),
            "https://example.com/moved": .redirect(to: "http://example.com/type"),
            "https://example.com/large": .ok([UInt8](repeating: 0x20, count: 257 * 1024), type: .json),
        ])
        let source = HTTPTypeMetadata(transport: transport)
        #expect(try await TypeMetadata.load("https://example.com/type", from: source).types.count == 1)
        for type in ["urn:type", "http://example.com/type", "type"] {
            await expectRefusal(.typeMetadataNotFound) { try await TypeMetadata.load(type, from: source) }
        }
        for type in [
            "https://example.com/moved", "https://example.com/large", "https://example.com/none", "https://[::1]/",
        ] {
            await expectRefusal(.retrievalFailed) { try await TypeMetadata.load(type, from: source) }
        }
    }

    @Test(arguments: [(3, nil, true), (4, nil, false), (1, 1, true), (1, 0, false)] as [(Int, Int?, Bool)])
    func redirectsAreFollowedWithinALimit(count: Int, limit: Int?, isFound: Bool) async throws {
        let document: JSONValue = ["vct": "https://example.com/type"]
        var answers: [String: InMemoryHTTPAnswer] = [:]
        for step in 0..<count {
            let place = step == 0 ? "https://example.com/type" : "https://cdn.example/\(step)"
            answers[place] = .redirect(to: "https://cdn.example/\(step + 1)")
        }
        answers["https://cdn.example/\(count)"] = .ok(document.encoded(), type: .json)
        let transport = InMemoryHTTPTransport(answers)
        let source =
            limit.map { HTTPTypeMetadata(transport: transport, redirects: $0) }
            ?? HTTPTypeMetadata(transport: transport)
        if isFound {
            #expect(try await source.document(for: "https://example.com/type") == document.encoded())
        } else {
            await expectRefusal(.retrievalFailed) { try await source.document(for: "https://example.com/type") }
        }
    }

    @Test func sourcesAreAskedInOrder() async throws {
        let transport = InMemoryHTTPTransport([:])
        let local = source(["https://example.com/type": ["vct": "https://example.com/type"]])
        let sources = TypeMetadataSources([local, HTTPTypeMetadata(transport: transport)])
        _ = try await TypeMetadata.load("https://example.com/type", from: sources)
        #expect(transport.requests.isEmpty)
        await expectRefusal(.retrievalFailed) {
            try await TypeMetadata.load("https://example.com/other", from: sources)
        }
        await expectRefusal(.typeMetadataNotFound) { try await TypeMetadata.load("urn:other", from: sources) }
    }
}
