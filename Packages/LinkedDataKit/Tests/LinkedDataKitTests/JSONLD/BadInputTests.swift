import JSONKit
import LinkedDataKit
import TestSupport
import Testing

struct BadInputTests {
    /// Values that stand where others are expected.
    private static let odd: [JSONValue] = [
        nil, true, 0, "", "@", "@id", "@value", ":", "_:", "a:b", [], [[]], [:], ["@id": nil], ["@value": []],
        ["@list": [[]]],
        ["@set": nil], ["@graph": [nil]], ["@reverse": [:]], ["@context": nil], ["@type": "@json"], ["@nest": [:]],
    ]

    private static let names = [
        "@id", "@type", "@value", "@language", "@index", "@list", "@set", "@graph", "@reverse", "@nest", "@included",
        "@context", "@container", "@base", "@vocab", "@import", "@propagate", "@protected", "@prefix", "@direction",
        "p",
    ]

    private func value(_ random: inout RepeatableRandomNumberGenerator, depth: Int) -> JSONValue {
        guard depth > 0, Int.random(in: 0..<4, using: &random) > 0 else {
            return Self.odd.randomElement(using: &random) ?? nil
        }
        if Int.random(in: 0..<4, using: &random) == 0 {
            return .array((0..<Int.random(in: 0...3, using: &random)).map { _ in value(&random, depth: depth - 1) })
        }
        var object = JSONObject()
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            object[Self.names.randomElement(using: &random) ?? "p"] = value(&random, depth: depth - 1)
        }
        return .object(object)
    }

    @Test func oddDocumentsAreExpandedOrRefused() {
        var random = RepeatableRandomNumberGenerator(seed: 3)
        let processor = JSONLDProcessor()
        var refused = 0
        for _ in 0..<20_000 {
            let document = value(&random, depth: 5)
            let isSafe = Bool.random(using: &random)
            let options = JSONLDOptions(base: "http://example.org/", safeMode: isSafe ? SafeMode() : nil)
            do {
                _ = try processor.toRDF(document, options: options)
            } catch {
                refused += 1
            }
        }
        #expect(refused > 0)
        #expect(refused < 20_000)
    }

    @Test func damagedNQuadsAreReadOrRefused() throws {
        let text = Array("_:a <urn:p> \"t\\u00E9\\n\"@en-GB <urn:g> . # c\n<urn:s> <urn:p> \"1\"^^<urn:d> .\n".utf8)
        var mutator = Mutator(seed: 4)
        for _ in 0..<5000 {
            guard let dataset = try? RDFDataset(parsing: mutator.mutate(text)) else { continue }
            #expect(try RDFDataset(parsing: dataset.nQuads()).quads == dataset.quads)
            _ = try dataset.canonicalNQuads()
        }
    }

    @Test(.enabled(if: VectorSet("json-ld").isAvailable, VectorSet.absence))
    func damagedDocumentsOfTheSuiteAreExpandedOrRefused() throws {
        let processor = JSONLDProcessor()
        var mutator = Mutator(seed: 5)
        var ran = 0
        for file in JSONLDSuite.set.files(withExtension: "jsonld") where file.path.hasSuffix("-in.jsonld") {
            let bytes = try file.bytes()
            for _ in 0..<20 {
                guard let document = try? JSONValue(parsing: mutator.mutate(bytes)) else { continue }
                _ = try? processor.toRDF(document, options: JSONLDOptions(base: "http://example.org/", safeMode: nil))
                ran += 1
            }
        }
        print("vectors: json-ld: \(ran) damaged documents")
    }
}
