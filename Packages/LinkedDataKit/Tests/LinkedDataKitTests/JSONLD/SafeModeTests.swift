import JSONKit
import LinkedDataKit
import Testing

struct SafeModeTests {
    struct Refusal: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let members: JSONObject
        let context: JSONValue
        let code: LinkedDataError.Code
        let path: [String]

        init(
            _ name: String,
            _ members: JSONObject,
            context: JSONValue = [:],
            _ code: LinkedDataError.Code,
            _ path: [String]
        ) {
            testDescription = name
            self.members = members
            self.context = context
            self.code = code
            self.path = path
        }
    }

    private static let name: JSONValue = ["name": "https://schema.org/name", "knows": "https://schema.org/knows"]

    private static let graph: JSONValue = ["p": ["@id": "urn:p", "@type": "@id", "@container": "@graph"]]

    static let refusals = [
        Refusal("undefined term", ["nmae": "A"], context: name, .droppedTerm, ["nmae"]),
        Refusal(
            "undefined term inside",
            ["knows": [["name": "A"], ["nmae": "B"]]],
            context: name,
            .droppedTerm,
            ["knows[1]", "nmae"]
        ),
        Refusal("term mapped to null", ["name": "A"], context: ["name": nil], .droppedTerm, ["name"]),
        Refusal("form of a keyword", ["@nmae": "A"], .droppedTerm, ["@nmae"]),
        Refusal("typo that @vocab takes", ["nmae": "A"], context: ["@vocab": "urn:v#"], .undefinedTerm, ["nmae"]),
        Refusal("type that @vocab takes", ["@type": "T"], context: ["@vocab": "urn:v#"], .undefinedTerm, ["@type"]),
        Refusal("relative @vocab", ["name": "A"], context: ["@vocab": ""], .relativeIRI, ["name"]),
        Refusal("relative @id", ["@id": "a", "name": "A"], context: name, .relativeIRI, ["@id"]),
        Refusal("relative @type", ["@type": "T"], .relativeIRI, ["@type"]),
        Refusal(
            "relative reference",
            ["p": "a"],
            context: ["p": ["@id": "urn:p", "@type": "@id"]],
            .relativeIRI,
            ["p"]
        ),
        Refusal("malformed IRI", ["@id": "urn:a b", "name": "A"], context: name, .relativeIRI, ["@id"]),
        Refusal("keyword form as @id", ["@id": "@a", "name": "A"], context: name, .droppedTerm, ["@id"]),
        Refusal("blank node as predicate", ["p": "A"], context: ["p": "_:p"], .blankNodePredicate, ["p"]),
        Refusal("null", ["name": nil], context: name, .droppedTerm, ["name"]),
        Refusal("empty array", ["name": []], context: name, .droppedTerm, ["name"]),
        Refusal("null in an array", ["name": ["A", nil]], context: name, .droppedTerm, ["name[1]"]),
        Refusal("null value", ["name": ["@value": nil]], context: name, .droppedTerm, ["name", "@value"]),
        Refusal("@index", ["name": ["@value": "A", "@index": "i"]], context: name, .droppedTerm, ["name", "@index"]),
        Refusal(
            "key of an index map",
            ["p": ["i": "A"]],
            context: ["p": ["@id": "urn:p", "@container": "@index"]],
            .droppedTerm,
            ["p"]
        ),
        Refusal(
            "array in a list",
            ["name": ["@list": [["A"], ["B"]]]],
            context: name,
            .droppedTerm,
            ["name", "@list"]
        ),
        Refusal(
            "long part of a language tag",
            ["name": ["@value": "A", "@language": "en-abcdefghi"]],
            context: name,
            .droppedTerm,
            ["name", "@language"]
        ),
        Refusal(
            "base direction",
            ["name": ["@value": "A", "@direction": "ltr"]],
            context: name,
            .droppedTerm,
            ["name", "@direction"]
        ),
        Refusal(
            "language tag",
            ["name": ["@value": "A", "@language": "e n"]],
            context: name,
            .droppedTerm,
            ["name", "@language"]
        ),
        Refusal("value without a node", ["@graph": ["A"]], .droppedTerm, ["@graph[0]"]),
        Refusal("node without properties", ["@graph": [["@id": "urn:a"]]], .droppedTerm, ["@graph[0]"]),
        Refusal("value object without a node", ["@graph": [["@value": "A"]]], .droppedTerm, ["@graph[0]"]),
        Refusal("included node without properties", ["@included": [["@id": "urn:a"]]], .droppedTerm, ["@included"]),
        Refusal("reference in a graph", ["p": "urn:a"], context: graph, .droppedTerm, ["p"]),
        Refusal("value in a graph", ["p": ["@value": "A"]], context: graph, .droppedTerm, ["p"]),
        Refusal(
            "reference in a map of graphs",
            ["p": ["urn:g": ["@id": "urn:a"]]],
            context: ["p": ["@id": "urn:p", "@container": ["@graph", "@id"]]],
            .droppedTerm,
            ["p"]
        ),
        Refusal("empty graph", ["@id": "urn:a", "@graph": []], .droppedTerm, ["@graph"]),
        Refusal("empty reverse map", ["name": "A", "@reverse": [:]], context: name, .droppedTerm, ["@reverse"]),
        Refusal("empty nest", ["name": "A", "@nest": [:]], context: name, .droppedTerm, ["@nest"]),
        Refusal(
            "empty language map",
            ["p": [:]],
            context: ["p": ["@id": "urn:p", "@container": "@language"]],
            .droppedTerm,
            ["p"]
        ),
        Refusal(
            "context inside @nest",
            ["@nest": ["@context": [:], "name": "A"]],
            context: name,
            .droppedTerm,
            ["@nest"]
        ),
        Refusal("language alone", ["name": ["@language": "en"]], context: name, .droppedTerm, ["name"]),
        Refusal("integer", ["name": 9_007_199_254_740_993], context: name, .inexactNumber, ["name"]),
        Refusal(
            "fraction that becomes an integer",
            ["name": (try? JSONNumber(text: "4503599627370497.75")).map { .number($0) } ?? .null],
            context: name,
            .inexactNumber,
            ["name"]
        ),
        Refusal(
            "redefined term",
            ["name": "A"],
            context: [name, ["name": "urn:name"]],
            .termRedefinition,
            ["@context", "[1]", "name"]
        ),
        Refusal("removed term", ["a:b": "A"], context: [name, nil], .termRedefinition, ["@context", "[1]", "name"]),
        Refusal(
            "redefinition inside",
            ["knows": ["@context": ["name": "urn:name"], "name": "B"]],
            context: name,
            .termRedefinition,
            ["knows", "@context", "name"]
        ),
        Refusal(
            "protected term",
            ["a:b": "A"],
            context: ["https://www.w3.org/ns/credentials/v2", ["issuer": "urn:issuer", "name": "urn:name"]],
            .protectedTermRedefinition,
            ["@context", "[1]", "name"]
        ),
    ]

    @Test(arguments: refusals)
    func refusesByTermAndPath(_ refusal: Refusal) throws {
        var document = refusal.members
        document["@context"] = refusal.context
        let processor = JSONLDProcessor()
        do {
            _ = try processor.toRDF(.object(document)).canonicalNQuads()
            Issue.record("it was canonicalized")
        } catch {
            #expect(error.code == refusal.code)
            #expect(error.path == refusal.path || isSameContext(error, refusal))
        }
        if refusal.code != .protectedTermRedefinition {
            _ = try processor.toRDF(.object(document), options: JSONLDOptions(safeMode: nil)).canonicalNQuads()
        }
    }

    /// Of two terms that a context redefines, the error may name either.
    private func isSameContext(_ error: LinkedDataError, _ refusal: Refusal) -> Bool {
        refusal.code == .termRedefinition && error.path.dropLast() == refusal.path.dropLast()
    }

    @Test(arguments: ["1.0", "-10e-1", "0.1", "4503599627370495.5", "1e30", "0.0", "1000000000000000000000.5"])
    func takesNumbersThatDoublePrecisionKeepsOfOneKind(_ text: String) throws {
        let document: JSONValue = ["@id": "urn:a", "urn:p": .number(try JSONNumber(text: text))]
        #expect(throws: Never.self) { try JSONLDProcessor().toRDF(document) }
    }

    @Test func takesCredentialsOfKnownContexts() throws {
        let dataset = try JSONLDProcessor().toRDF(Credentials.university)
        #expect(dataset.count == 7)
    }

    @Test func toleratesWhatTheCallerNames() throws {
        let processor = JSONLDProcessor()
        let document: JSONValue = [
            "@context": ["@vocab": "urn:v#", "id": "@id"], "id": "urn:a", "name": "A", "empty": [],
        ]
        let accepting = SafeMode(acceptedVocabularies: ["urn:v#"], acceptsEmptyValues: true)
        #expect(try processor.toRDF(document, options: JSONLDOptions(safeMode: accepting)).count == 1)
        let other = SafeMode(acceptedVocabularies: ["urn:w#"], acceptsEmptyValues: true)
        #expect(code { try processor.expand(document, options: JSONLDOptions(safeMode: other)) } == .undefinedTerm)
        let full = SafeMode(acceptedVocabularies: ["urn:v#"])
        #expect(code { try processor.expand(document, options: JSONLDOptions(safeMode: full)) } == .droppedTerm)
    }

    @Test func takesEmptyLists() throws {
        let nilList: RDFTerm = .iri("http://www.w3.org/1999/02/22-rdf-syntax-ns#nil")
        let documents: [JSONValue] = [
            ["@id": "urn:a", "urn:p": ["@list": []]],
            ["@context": ["p": ["@id": "urn:p", "@container": "@list"]], "@id": "urn:a", "p": []],
        ]
        for document in documents {
            #expect(try JSONLDProcessor().toRDF(document).quads.map(\.object) == [nilList])
        }
    }

    /// Every scalar of a document that safe mode takes is covered: to change one changes the canonical form.
    @Test func coversEveryScalar() throws {
        let processor = JSONLDProcessor()
        let document = try #require(Credentials.university.objectValue)
        let expected = try processor.toRDF(.object(document)).canonicalNQuads()
        for changed in changes(of: .object(document)) {
            let canonical = try? processor.toRDF(changed).canonicalNQuads()
            #expect(canonical != expected, "\(changed)")
        }
    }

    /// A document with one scalar changed, for each of them outside the context.
    private func changes(of value: JSONValue) -> [JSONValue] {
        switch value {
        case .object(let object):
            return object.filter { $0.name != "@context" }.flatMap { name, value in
                changes(of: value).map { changed in
                    var copy = object
                    copy[name] = changed
                    return .object(copy)
                }
            }
        case .array(let elements):
            return elements.indices.flatMap { index in
                changes(of: elements[index]).map { changed in
                    var copy = elements
                    copy[index] = changed
                    return .array(copy)
                }
            }
        case .string(let text): return [.string(text + "x"), nil]
        default: return ["changed", nil]
        }
    }

    @Test func takesBaseDirectionsWithAFormInRDF() throws {
        let document: JSONValue = ["@id": "urn:a", "urn:p": ["@value": "A", "@direction": "rtl", "@language": "ar"]]
        let options = JSONLDOptions(rdfDirection: .i18nDatatype)
        let quads = try JSONLDProcessor().toRDF(document, options: options).quads
        #expect(quads[0].object == .literal(RDFLiteral("A", datatype: "https://www.w3.org/ns/i18n#ar_rtl")))
    }
}
