import JSONKit
import LinkedDataKit
import Testing

struct LimitTests {
    private let processor = JSONLDProcessor()
    private let tolerant = JSONLDOptions(safeMode: nil)

    /// Nodes inside each other, so deep as a number says.
    private func nodes(depth: Int, property: String = "urn:p") -> JSONValue {
        (1..<depth).reduce(["urn:q": "end"]) { node, _ in .object(JSONObject([(property, node)])) }
    }

    private func code(_ document: JSONValue, _ limits: JSONLDLimits) -> LinkedDataError.Code? {
        LinkedDataKitTests.code { try processor.toRDF(document, options: JSONLDOptions(limits: limits)) }
    }

    @Test func keepsToTheDepth() throws {
        #expect(code(nodes(depth: 64), .default) == nil)
        #expect(code(nodes(depth: 65), .default) == .limitExceeded)
        #expect(code(nodes(depth: 128), JSONLDLimits(depth: 1000)) == nil)
        #expect(code(nodes(depth: 129), JSONLDLimits(depth: 1000)) == .limitExceeded)
        #expect(code([[["urn:p": "A"]]], JSONLDLimits(depth: 3)) == nil)
        #expect(code([[["urn:p": "A"]]], JSONLDLimits(depth: 2)) == .limitExceeded)
    }

    @Test(arguments: ["plain", "@list", "@graph", "@set", "@nest"])
    func deepestDocumentTakesLittleStack(_ kind: String) throws {
        let context: JSONValue
        switch kind {
        case "plain": context = ["p": "urn:p"]
        case "@nest": context = ["p": "@nest"]
        default: context = ["p": ["@id": "urn:p", "@container": .string(kind)]]
        }
        let document: JSONValue = ["@context": context, "p": nodes(depth: 127, property: "p")]
        let options = JSONLDOptions(safeMode: nil, limits: JSONLDLimits(depth: 128))
        let count = try SmallStack.run { try JSONLDProcessor().toRDF(document, options: options).count }
        #expect(try #require(count) > 0)
    }

    @Test func keepsToTheNumberOfValues() {
        let document: JSONValue = ["urn:p": ["A", "B"]]
        #expect(code(document, JSONLDLimits(values: 4)) == nil)
        #expect(code(document, JSONLDLimits(values: 3)) == .limitExceeded)
    }

    @Test func keepsToTheNumberOfContexts() {
        let node: JSONValue = ["@context": ["p": "urn:p"], "p": "A"]
        let other: JSONValue = ["@context": ["p": "urn:q"], "p": "A"]
        #expect(code([node, other, node], JSONLDLimits(contexts: 2)) == nil)
        #expect(code([node, other, node], JSONLDLimits(contexts: 1)) == .limitExceeded)
        let scoped: JSONValue = ["@context": ["p": ["@id": "urn:p", "@context": ["q": "urn:q"]]], "p": ["q": "A"]]
        // The context itself, that of its term once as it is read, and once more where it applies.
        #expect(code(scoped, JSONLDLimits(contexts: 3)) == nil)
        #expect(code(scoped, JSONLDLimits(contexts: 2)) == .limitExceeded)
    }

    @Test func keepsToTheNumberOfTerms() {
        let context: JSONValue = ["p": "urn:p", "q": "urn:q"]
        let document: JSONValue = ["@context": context, "p": ["@context": ["r": "urn:r"], "r": "A"]]
        #expect(code(document, JSONLDLimits(terms: 5)) == nil)
        #expect(code(document, JSONLDLimits(terms: 4)) == .limitExceeded)
    }

    @Test func keepsToTheNumberOfRemoteContexts() throws {
        var contexts = ContextRegistry.empty
        for index in 1...40 {
            let next: JSONValue = index < 40 ? .string("https://example.org/\(index + 1)") : ["p": "urn:p"]
            try contexts.add(["@context": next], at: "https://example.org/\(index)")
        }
        let processor = JSONLDProcessor(contexts: contexts)
        for (first, most, refusal) in [
            (25, 16, nil), (24, 16, LinkedDataError.Code.contextOverflow), (9, 100, nil), (8, 100, .contextOverflow),
        ] {
            let limits = JSONLDLimits(remoteContexts: most)
            let url = JSONValue.string("https://example.org/\(first)")
            let result = try SmallStack.run {
                LinkedDataKitTests.code {
                    try processor.activeContext(of: url, options: JSONLDOptions(limits: limits))
                }
            }
            #expect(result == refusal)
        }
    }

    @Test func longChainsOfTermsTakeNoStack() throws {
        let names = (0..<20_000).map { "t\($0)" }
        var chain = JSONObject(zip(names, names.dropFirst()).map { ($0, .string($1)) })
        chain["t19999"] = "urn:end"
        let context = chain
        let iri = try SmallStack.run { try JSONLDProcessor().activeContext(of: .object(context))["t0"]?.iri }
        #expect(iri == "urn:end")
        chain["t19999"] = "t0"
        let cyclic = chain
        let refusal = try SmallStack.run {
            LinkedDataKitTests.code { try JSONLDProcessor().activeContext(of: .object(cyclic)) }
        }
        #expect(refusal == .cyclicIRIMapping)
    }

    @Test func nestedContextsTakeNoStack() throws {
        let context = (0..<60).reduce(["end": "urn:end"] as JSONValue) { inner, _ in
            ["p": ["@id": "urn:p", "@context": inner]]
        }
        let terms = try SmallStack.run { try JSONLDProcessor().activeContext(of: context).terms.count }
        #expect(terms == 1)
    }

    @Test func manyTermsForOnePropertyTakeTimeInProportion() throws {
        let names = (0..<5000).map { "t\($0)" }
        let context = JSONValue.object(JSONObject(names.map { ($0, "urn:p") }))
        let document = JSONObject([("@context", context)] + names.map { ($0, JSONValue.string($0)) })
        #expect(try processor.toRDF(.object(document)).count == 5000)
    }
}
