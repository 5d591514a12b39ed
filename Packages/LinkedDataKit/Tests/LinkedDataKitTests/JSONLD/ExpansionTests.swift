import CryptoCore
import JSONKit
import LinkedDataKit
import TestSupport
import Testing

struct ExpansionTests {
    private let processor = JSONLDProcessor()
    private let tolerant = JSONLDOptions(safeMode: nil)

    private func canonical(_ document: JSONValue) throws -> [UInt8] {
        try processor.toRDF(document).canonicalNQuads()
    }

    @Test func canonicalFormDoesNotDependOnMemberOrderOrWhiteSpace() throws {
        func shuffled(_ value: JSONValue, _ random: inout RepeatableRandomNumberGenerator) -> JSONValue {
            switch value {
            case .array(let elements): .array(elements.map { shuffled($0, &random) })
            case .object(let object):
                .object(JSONObject(object.shuffled(using: &random).map { ($0.name, shuffled($0.value, &random)) }))
            default: value
            }
        }
        var random = RepeatableRandomNumberGenerator(seed: 2)
        let expected = try canonical(Credentials.university)
        for _ in 0..<30 {
            let document = shuffled(Credentials.university, &random)
            #expect(try canonical(document) == expected)
            #expect(try canonical(JSONValue(parsing: document.encoded(.pretty))) == expected)
        }
    }

    @Test func canonicalFormDoesNotDependOnNamesOfBlankNodes() throws {
        func document(_ first: JSONValue, _ second: JSONValue) -> JSONValue {
            [
                "@context": ["knows": ["@id": "https://schema.org/knows", "@type": "@id"]],
                "@graph": [["@id": first, "knows": second], ["@id": second, "knows": [first, "urn:c"]]],
            ]
        }
        #expect(try canonical(document("_:a", "_:b")) == canonical(document("_:b0", "_:c14n0")))
        #expect(try canonical(document("_:a", "_:b")) == canonical(document("_:b", "_:a")))
    }

    @Test func documentedExampleHoldsTrue() throws {
        let document: JSONValue = [
            "@context": "https://www.w3.org/ns/credentials/v2", "id": "urn:uuid:58172aac-d8ba-11ed-83dd-0b3aef56cc33",
            "type": "VerifiableCredential", "issuer": "did:example:university",
            "credentialSubject": ["id": "did:example:alice", "name": "Alice"],
        ]
        let lines = String(decoding: try canonical(document), as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 4)
        #expect(lines.first == #"<did:example:alice> <https://schema.org/name> "Alice" ."#)
        let misspelt: JSONValue = ["@context": "https://www.w3.org/ns/credentials/v2", "nmae": "Alice"]
        do {
            _ = try processor.toRDF(misspelt)
            Issue.record("it was converted")
        } catch {
            #expect(error.description == "droppedTerm in nmae: nmae has no definition")
        }
    }

    @Test func differentContentHasADifferentForm() throws {
        var other = try #require(Credentials.university.objectValue)
        other["validFrom"] = "2026-01-02T00:00:00Z"
        #expect(try canonical(.object(other)) != canonical(Credentials.university))
    }

    @Test func keepsTermsApartThatAreOnlyCanonicallyEquivalent() throws {
        let document: JSONValue = [
            "@context": ["\u{e9}": "urn:one", "e\u{301}": "urn:two"], "@id": "urn:a", "\u{e9}": "1", "e\u{301}": "2",
        ]
        #expect(Set(try processor.toRDF(document).quads.map(\.predicate)) == [.iri("urn:one"), .iri("urn:two")])
    }

    @Test(arguments: [
        ("5.3", "5.3E0"), ("1e21", "1.0E21"), ("9.95", "9.949999999999999E0"), ("0.1", "1.0E-1"),
        ("-0.0025", "-2.5E-3"),
        ("1234567.89e-1", "1.23456789E5"), ("5e-324", "4.940656458412465E-324"),
        ("1.7976931348623157e308", "1.797693134862316E308"), ("9.9999999999999995e22", "9.999999999999999E22"),
        ("0.30000000000000004", "3.0E-1"), ("2.2250738585072014e-308", "2.225073858507201E-308"),
        ("1e23", "9.999999999999999E22"), ("1.2345678901234565e100", "1.234567890123456E100"),
    ])
    func writesDoublesInCanonicalForm(_ number: String, _ form: String) throws {
        let document: JSONValue = ["@id": "urn:a", "urn:p": .number(try JSONNumber(text: number))]
        let object = try processor.toRDF(document).quads[0].object
        let datatype: ExactText = "http://www.w3.org/2001/XMLSchema#double"
        #expect(object == .literal(RDFLiteral(ExactText(form), datatype: datatype)))
    }

    /// The canonical form is for numbers; a text of a numeric type stays as it is (JSON-LD 1.1 API, section 8.2.2).
    @Test(arguments: [("double", "5.30"), ("double", "1"), ("double", "INF"), ("double", "five"), ("integer", "+05")])
    func keepsTextsOfNumericTypes(type: String, text: String) throws {
        let datatype = "http://www.w3.org/2001/XMLSchema#" + type
        let value: JSONValue = ["@value": .string(text), "@type": .string(datatype)]
        let canonical = try canonical(["@id": "urn:a", "https://example.org/number": value])
        #expect(
            String(decoding: canonical, as: UTF8.self)
                == "<urn:a> <https://example.org/number> \"\(text)\"^^<\(datatype)> .\n"
        )
    }

    /// A term whose `@reverse` has the form of a keyword is left out (JSON-LD 1.1 API, section 4.2.2, step 13.3).
    @Test(arguments: ["@type", "@id", "@ignored"])
    func leavesOutReverseTermsThatNameKeywords(_ keyword: String) throws {
        let document: JSONValue = [
            "@context": ["knownBy": ["@reverse": .string(keyword)], "name": "https://schema.org/name"],
            "@id": "urn:a", "knownBy": ["@id": "urn:b"], "name": "A",
        ]
        let lines = try processor.toRDF(document, options: tolerant).nQuads()
        #expect(String(decoding: lines, as: UTF8.self) == "<urn:a> <https://schema.org/name> \"A\" .\n")
        #expect { try processor.toRDF(document) } throws: { ($0 as? LinkedDataError)?.code == .droppedTerm }
    }

    @Test(arguments: [
        ("5", "5"), ("5.0", "5"), ("-0", "0"), ("1e3", "1000"), ("100000000000000000000", "100000000000000000000"),
    ])
    func writesNumbersWithoutAFractionAsIntegers(_ number: String, _ form: String) throws {
        let document: JSONValue = ["@id": "urn:a", "urn:p": .number(try JSONNumber(text: number))]
        let object = try processor.toRDF(document).quads[0].object
        let datatype: ExactText = "http://www.w3.org/2001/XMLSchema#integer"
        #expect(object == .literal(RDFLiteral(ExactText(form), datatype: datatype)))
    }

    @Test func writesJSONLiteralsInTheFormOfRFC8785() throws {
        let json: JSONValue = ["b": .number(try JSONNumber(text: "1.0")), "a": [nil, "é"]]
        let document: JSONValue = ["@id": "urn:a", "urn:p": ["@type": "@json", "@value": json]]
        let object = try processor.toRDF(document).quads[0].object
        #expect(
            object == .literal(RDFLiteral(#"{"a":[null,"é"],"b":1}"#, datatype: RDFVocabulary.rdfJSON))
        )
    }

    @Test func nodesOfDroppedPropertiesKeepTheirOwn() throws {
        for document: JSONValue in [
            ["@id": "urn:a", "_:p": ["@id": "urn:b", "urn:q": "B"]],
            ["@id": "urn:a", "@reverse": ["_:p": ["@id": "urn:b", "urn:q": "B"]]],
        ] {
            #expect(try processor.toRDF(document, options: tolerant).quads.map(\.subject) == [.iri("urn:b")])
        }
    }

    @Test func valuesThatStandForThemselvesMakeNoQuads() throws {
        let context: JSONValue = ["g": ["@id": "urn:g", "@container": "@graph"]]
        let document: JSONValue = [
            "@context": context, "@id": "urn:a", "g": [["@value": "A", "@type": "urn:t"], ["@list": ["B"]]],
        ]
        #expect(Set(try processor.toRDF(document, options: tolerant).quads.map(\.predicate)) == [.iri("urn:g")])
    }

    @Test func aQuadCountsOnceForABlankNodeThatItNamesTwice() throws {
        let text = "_:x <urn:p> _:x .\n_:y <urn:q> _:x .\n"
        let hash = HashAlgorithm.sha256
        let digests = [
            hash.digest(of: Array("_:a <urn:p> _:a .\n_:z <urn:q> _:a .\n".utf8)),
            hash.digest(of: Array("_:a <urn:q> _:z .\n".utf8)),
        ]
        let isFirst = digests[0].lexicographicallyPrecedes(digests[1])
        let issued = try RDFDataset(parsing: text.utf8).canonicalized().issuedIdentifiers
        #expect(issued["x"] == (isFirst ? "c14n0" : "c14n1"))
    }

    @Test func comparesTheEndsOfAPrefixByTheirBytes() throws {
        // An accent behind the slashes makes one character of the last slash and itself.
        let iri = "http://\u{301}x"
        let documents: [JSONValue] = [
            ["@context": ["http": "urn:e:"], "@id": .string(iri), "urn:p": "A"],
            ["@context": ["http": "urn:e:", "t": ["@id": .string(iri)]], "@id": "urn:a", "t": "A"],
            ["@context": ["http": "urn:e:", "t": ["@id": "urn:t"]], "@id": "urn:a", "urn:q": ["@id": .string(iri)]],
        ]
        for document in documents {
            let lines = String(decoding: try processor.toRDF(document, options: tolerant).nQuads(), as: UTF8.self)
            #expect(
                lines.unicodeScalars.contains("\u{301}")
                    && lines.utf8.split(separator: 0x20).contains { part in
                        part.elementsEqual("<\(iri)>".utf8)
                    },
                "\(lines)"
            )
        }
    }

    @Test func aPropertyWithoutQuadsLeavesNoCells() throws {
        let node: JSONValue = ["@id": "urn:n", "urn:q": "B"]
        let list: JSONValue = ["@list": ["A", node]]
        let documents: [JSONValue] = [
            ["@id": "relative", "urn:p": list], ["@context": ["p": "_:p"], "@id": "urn:a", "p": list],
            ["@context": ["p": ["@id": "_:p", "@container": "@list"]], "@id": "urn:a", "p": ["A", node]],
        ]
        for document in documents {
            #expect(
                try processor.toRDF(document, options: tolerant).nQuads() == Array("<urn:n> <urn:q> \"B\" .\n".utf8)
            )
        }
    }

    @Test func aNodeMayHaveAnIndexInEachGraph() throws {
        let document: JSONValue = [
            [
                "@id": "urn:g", "@graph": [["@id": "urn:a", "@index": "1", "urn:p": "A"]],
            ], ["@id": "urn:a", "@index": "2", "urn:p": "B"],
        ]
        #expect(try processor.toRDF(document, options: tolerant).count == 2)
    }

    @Test func keepsTheOrderOfAliasedTypes() throws {
        let document: JSONValue = [
            "@context": ["a": "@type", "b": "@type", "i": "@included", "j": "@included"], "@type": "urn:t1",
            "a": ["urn:t2", "urn:t3"], "b": "urn:t4", "i": ["urn:p": "A"], "j": ["urn:p": "B"],
        ]
        let node = try processor.expand(document).value.arrayValue?.first
        // The specification puts later entries, in the order of their names, before earlier ones.
        #expect(node?["@type"] == ["urn:t4", "urn:t2", "urn:t3", "urn:t1"])
        #expect(node?["@included"]?.arrayValue?.count == 2)
    }

    /// JSON-LD 1.1 API, section 5.1.2: what is inside is expanded with the context of the object itself.
    @Test(arguments: ["@set", "@list"])
    func definesThePropertyAnewInsideASetOrList(_ keyword: String) throws {
        let term: JSONValue = ["@id": "http://ex/p", "@type": "@id"]
        var object: JSONObject = ["@context": ["http://ex/p": term]]
        object[keyword] = ["http://ex/o"]
        let value = try processor.expand(["http://ex/p": .object(object)]).value[0]?["http://ex/p"]
        let expected: JSONValue = [["@id": "http://ex/o"]]
        #expect(value == (keyword == "@set" ? expected : [["@list": expected]]))
    }

    /// A node with `@graph` and properties is no graph object (JSON-LD 1.1, section 9.4).
    @Test func putsANamedGraphWithPropertiesIntoTheGraphOfAMap() throws {
        func expanded(_ value: JSONValue) throws -> JSONValue? {
            let context: JSONValue = ["@vocab": "http://ex/", "g": ["@container": ["@graph", "@id"]]]
            let document: JSONValue = ["@context": context, "g": ["http://ex/n": value]]
            return try processor.expand(document, options: tolerant).value[0]?["http://ex/g"]?[0]
        }
        let inner: JSONValue = [["@id": "http://ex/a", "http://ex/p": [["@value": "y"]]]]
        let node = try #require(try expanded(["p": "x", "@graph": [["@id": "http://ex/a", "p": "y"]]]))
        #expect(node["@id"] == "http://ex/n")
        #expect(node["http://ex/p"] == nil)
        #expect(node["@graph"]?[0]?["http://ex/p"] == [["@value": "x"]])
        #expect(node["@graph"]?[0]?["@graph"] == inner)
        let graph = try #require(try expanded(["@graph": [["@id": "http://ex/a", "p": "y"]]]))
        #expect(graph["@id"] == "http://ex/n")
        #expect(graph["@graph"] == inner)
    }

    /// The node map has equal values of a property once (section 7.2).
    @Test func writesEqualCompoundLiteralsOnce() throws {
        let options = JSONLDOptions(rdfDirection: .compoundLiteral)
        func count(_ values: JSONValue...) throws -> Int {
            try processor.toRDF(["@id": "urn:a", "urn:p": .array(values)], options: options).count
        }
        let text: JSONValue = ["@value": "a", "@language": "en", "@direction": "ltr"]
        #expect(try count(text) == 4)
        #expect(try count(text, text) == 4)
        #expect(try count(text, ["@value": "a", "@direction": "ltr"]) == 7)
        let nodes: JSONValue = [["@id": "urn:a", "urn:p": text], ["@id": "urn:a", "urn:p": text]]
        #expect(try processor.toRDF(nodes, options: options).count == 4)
        let others: JSONValue = [["@id": "urn:a", "urn:p": text, "urn:q": text], ["@id": "urn:b", "urn:p": text]]
        #expect(try processor.toRDF(others, options: options).count == 12)
        // A list keeps what it has twice.
        #expect(try count(["@list": [text, text]]) == 11)
    }

    @Test func refusesTwoIndexesOfANode() {
        let document: JSONValue = [
            ["@id": "urn:a", "@index": "1", "urn:p": "A"], ["@id": "urn:a", "@index": "2", "urn:p": "B"],
        ]
        #expect(code { try processor.toRDF(document, options: tolerant) } == .conflictingIndexes)
    }

    @Test func refusesNumbersBeyondDoublePrecision() throws {
        let document: JSONValue = ["@id": "urn:a", "urn:p": .number(try JSONNumber(text: "1e400"))]
        #expect(code { try processor.toRDF(document, options: tolerant) } == .inexactNumber)
        let literal: JSONValue = ["@id": "urn:a", "urn:p": ["@type": "@json", "@value": document]]
        #expect(code { try processor.toRDF(literal, options: tolerant) } == .invalidJSONLiteral)
    }

    @Test func errorsSpeakTheWordsOfTheSpecification() {
        let document: JSONValue = ["@context": ["term": 1], "term": "A"]
        do {
            _ = try processor.expand(document)
            Issue.record("it was expanded")
        } catch {
            #expect(error.code == .invalidTermDefinition)
            #expect(error.code.w3cName == "invalid term definition")
            #expect(error.path == ["@context", "term"])
        }
        #expect(LinkedDataError.Code.droppedTerm.w3cName == nil)
    }
}
