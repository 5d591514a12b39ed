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

    @Test func countsEachEntryOfAContext() {
        let contexts: [JSONValue] = [["p": "urn:p", "q": "urn:q"]] + Array(repeating: [:], count: 9)
        let document: JSONValue = ["@context": .array(contexts), "p": "A"]
        #expect(code(document, JSONLDLimits(contexts: 10, terms: 20)) == nil)
        #expect(code(document, JSONLDLimits(contexts: 9)) == .limitExceeded)
        #expect(code(document, JSONLDLimits(terms: 19)) == .limitExceeded)
        let scoped: JSONValue = ["@context": ["t": ["@id": "urn:t", "@context": .array(contexts)]], "urn:p": "A"]
        // The context, that of its term on top of it, and nine more with three terms.
        #expect(code(scoped, JSONLDLimits(contexts: 11, terms: 29)) == nil)
        #expect(code(scoped, JSONLDLimits(contexts: 10)) == .limitExceeded)
        #expect(code(scoped, JSONLDLimits(terms: 28)) == .limitExceeded)
    }

    @Test func keepsToTheLengthOfIRIsInContexts() {
        let long = "urn:" + String(repeating: "a", count: 96)
        let contexts: [JSONValue] = [
            ["p": .string(long), "q": "urn:q"], ["@vocab": .string(long), "q": "urn:q"],
            ["@base": .string(long), "q": "urn:q"], ["q": ["@id": "urn:q", "@type": .string(long)]],
            ["a": .string(String(long.dropLast())), "q": "urn:q", "a:b": "a:b"],
        ]
        for context in contexts {
            let document: JSONValue = ["@context": context, "q": "A"]
            #expect(code(document, JSONLDLimits(iriLength: 100)) == nil)
            #expect(code(document, JSONLDLimits(iriLength: 99)) == .limitExceeded)
        }
    }

    @Test func keepsToTheSizeOfWhatIsPutTogether() throws {
        let terms: JSONValue = ["p": "urn:p:"]
        // 6 bytes for the term, and 7 for each use of the prefix.
        let uses: [(JSONValue, Int)] = [
            (["@context": terms, "p:a": "A", "p:b": "A"], 6 + 14),
            (["@context": terms, "@id": "p:a", "p:b": "A"], 6 + 14),
            (["@context": terms, "@type": ["p:a", "p:b", "p:c"]], 6 + 21),
            (["@context": ["p": "urn:p:", "p:a": ["@type": "@id"]], "p:a": "p:b"], 6 + 7 + 3 + 7),
        ]
        for (document, size) in uses {
            #expect(code(document, JSONLDLimits(text: size)) == nil, "\(document)")
            #expect(code(document, JSONLDLimits(text: size - 1)) == .limitExceeded, "\(document)")
        }
        let mapped: JSONValue = [
            "@context": ["p": "urn:p:", "m": ["@id": "urn:m", "@container": "@index", "@index": "p:i"]],
            "m": ["k": ["@id": "urn:a"], "l": ["@id": "urn:b"]],
        ]
        let bound = JSONLDOptions(limits: JSONLDLimits(text: 6 + 5 + 14))
        #expect(throws: Never.self) { try processor.expand(mapped, options: bound) }
        var less = bound
        less.limits.text -= 1
        #expect(LinkedDataKitTests.code { try processor.expand(mapped, options: less) } == .limitExceeded)
    }

    @Test func refusesADocumentThatGrowsAThousandfold() throws {
        let prefix = "urn:" + String(repeating: "a", count: 8000) + "#"
        let values = (0..<4000).map { JSONValue.string("p:\($0)") }
        let document: JSONValue = [
            "@context": ["p": .string(prefix), "q": ["@id": "urn:q", "@type": "@id"]], "q": .array(values),
        ]
        #expect(code(document, .default) == .limitExceeded)
    }

    /// Datatypes and language tags of contexts count with each value that has them.
    @Test func keepsToTheSizeOfWhatContextsGiveToValues() {
        let typed: JSONValue = ["q": ["@id": "urn:q", "@type": "urn:type"]]
        let tagged: JSONValue = ["@language": "en-a-b", "q": "urn:q"]
        let mapped: JSONValue = ["q": ["@id": "urn:q", "@container": "@language"]]
        let uses: [(JSONValue, Int)] = [
            (["@context": typed, "q": ["A", "B", "C"]], 5 + 8 + 24), (["@context": tagged, "q": ["A", "B"]], 5 + 12),
            (["@context": ["q": ["@id": "urn:q", "@language": "en"]], "q": ["A", "B"]], 5 + 4),
            (["@context": mapped, "q": ["de": ["A", "B"], "en-x": "C"]], 5 + 8),
        ]
        for (document, size) in uses {
            #expect(code(document, JSONLDLimits(text: size)) == nil, "\(document)")
            #expect(code(document, JSONLDLimits(text: size - 1)) == .limitExceeded, "\(document)")
        }
    }

    /// The names of an object are refused one by one, before all of them stand in memory with their prefix.
    @Test func countsNamesAsTheyAreExpanded() {
        let prefix = "urn:" + String(repeating: "a", count: 8000) + "#"
        let members = JSONObject(distinct: (0..<3000).map { JSONObject.Entry(name: "p:\($0)", value: "A") })
        let map: JSONValue = ["@id": "urn:m", "@container": "@id"]
        let nodes = JSONObject(distinct: members.map { JSONObject.Entry(name: $0.name, value: ["urn:q": "A"]) })
        let documents: [JSONObject] = [
            JSONObject([("@context", ["p": .string(prefix)])] + Array(members)),
            ["@context": ["p": .string(prefix), "n": "@nest"], "n": .object(members)],
            ["@context": ["p": .string(prefix), "m": map], "m": .object(nodes)],
        ]
        for document in documents {
            #expect(code(.object(document), .default) == .limitExceeded)
        }
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

    /// JSON-LD 1.1 API, section 4.1.2, steps 5.2.2 and 5.2.3.
    @Test func refusesARemoteContextThatIncludesItself() throws {
        var contexts = ContextRegistry.empty
        let urls = ["direct", "first", "second", "scoped"].map { "https://example.org/\($0)" }
        try contexts.add(["@context": [["p": "urn:p"], .string(urls[0])]], at: urls[0])
        try contexts.add(["@context": .string(urls[2])], at: urls[1])
        try contexts.add(["@context": .string(urls[1])], at: urls[2])
        try contexts.add(["@context": ["p": ["@id": "urn:p", "@context": .string(urls[3])]]], at: urls[3])
        let processor = JSONLDProcessor(contexts: contexts)
        for url in urls.prefix(3) {
            #expect(LinkedDataKitTests.code { try processor.activeContext(of: .string(url)) } == .contextOverflow)
            // The errors of a term's context have a code of their own.
            let term: JSONValue = ["p": ["@id": "urn:p", "@context": .string(url)]]
            let document: JSONValue = ["@context": term, "p": ["urn:q": "A"]]
            #expect(LinkedDataKitTests.code { try processor.expand(document) } == .contextOverflow)
        }
        let nested: JSONValue = ["@context": .string(urls[3]), "p": ["p": ["p": ["@id": "urn:a"]]]]
        #expect(throws: Never.self) { try processor.toRDF(nested) }
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
