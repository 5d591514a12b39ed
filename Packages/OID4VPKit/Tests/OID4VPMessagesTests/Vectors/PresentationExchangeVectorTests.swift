import JSONKit
import OID4VPMessages
import TestSupport
import Testing

@Suite(.enabled(if: vectors.isAvailable, VectorSet.absence))
struct PresentationExchangeVectorTests {
    static let files = vectorFiles(with: "filters", "jsonPaths", "definitions")

    @Test(arguments: files)
    func readsDefinitions(_ file: VectorFile) throws {
        let cases = try file.json().cases("definitions")
        for entry in cases {
            let json = try #require(entry["json"])
            // Some examples are a descriptor alone.
            guard let definition = json["presentation_definition"] else {
                #expect(try InputDescriptor(json: json).id.text == json["id"]?.stringValue)
                continue
            }
            if definition["input_descriptors"]?.arrayValue?.isEmpty == true {
                // The example shows formats alone; a definition without descriptors asks for nothing.
                expect(.invalidDefinition) { () throws(OID4VPError) in try PresentationDefinition(json: definition) }
            } else {
                #expect(try PresentationDefinition(json: definition).id == definition["id"]?.stringValue)
            }
        }
        file.report(ran: cases.count)
    }

    @Test(arguments: files)
    func readsSubmissions(_ file: VectorFile) throws {
        let cases = try file.json().cases("submissions")
        var envelopes: [(name: String, reason: String)] = []
        for entry in cases {
            let json = try #require(entry["json"])
            guard let submission = json["presentation_submission"] ?? json["vp"]?["presentation_submission"] else {
                envelopes.append((try entry.text("id"), "an envelope without a submission in it"))
                continue
            }
            #expect(try PresentationSubmission(json: submission).json["descriptor_map"] != nil)
            #expect(try PresentationSubmission(json: submission).id == submission["id"]?.stringValue)
        }
        file.report(ran: cases.count - envelopes.count, passedOver: envelopes)
    }

    @Test(arguments: files)
    func readsRequirements(_ file: VectorFile) throws {
        let cases = try file.json().cases("submissionRequirements")
        let descriptors = ["A", "B", "C", "D"].map { group -> JSONValue in
            ["id": .string(group), "group": [.string(group)], "constraints": [:]]
        }
        for entry in cases {
            let definition: JSONValue = [
                "id": "p", "input_descriptors": .array(descriptors),
                "submission_requirements": try #require(entry["json"]?["submission_requirements"]),
            ]
            let read = try PresentationDefinition(json: definition)
            #expect(read.requirements.count == entry["json"]?["submission_requirements"]?.arrayValue?.count)
        }
        file.report(ran: cases.count)
    }

    @Test(arguments: files)
    func filters(_ file: VectorFile) throws {
        let cases = try file.json().cases("filters")
        for entry in cases {
            let schema = try JSONSchema(try #require(entry["filter"]))
            let accepts = try schema.accepts(try #require(entry["value"]))
            #expect(accepts == (entry["expected"] == "match"), "\(entry["id"] ?? nil)")
        }
        file.report(ran: cases.count)
    }

    @Test(arguments: files)
    func followsPaths(_ file: VectorFile) throws {
        let json = try file.json()
        let root = try #require(json["jsonPathDocument"])
        let cases = try json.cases("jsonPaths")
        for entry in cases {
            let path = try entry.text("path")
            let values = try JSONPathQuery(path).nodes(in: root).map(\.value)
            #expect(.array(values) == entry["expected"], "\(path)")
        }
        let malformed = try json.cases("jsonPathsMalformed")
        for text in malformed.compactMap(\.stringValue) {
            expect(.invalidPath) { () throws(OID4VPError) in try JSONPathQuery(text) }
        }
        let scripts = try #require(json["jsonPathsScript"]).cases("paths")
        for text in scripts.compactMap(\.stringValue) {
            expect(.unsupportedPath) { () throws(OID4VPError) in try JSONPathQuery(text) }
        }
        file.report(ran: cases.count + malformed.count + scripts.count)
    }

    @Test(arguments: files)
    func evaluates(_ file: VectorFile) throws {
        let json = try file.json()
        let store = try #require(json["credentials"]?.objectValue).map {
            TestCredential($0.name, presentationExchange: $0.value)
        }
        let cases = try json.cases("evaluation")
        for entry in cases {
            let id = try entry.text("id")
            let definition = try PresentationDefinition(json: try #require(entry["definition"]))
            let result = definition.evaluate(over: store)
            #expect(.bool(result.isSatisfied) == entry["expected"]?["satisfied"], "\(id)")
            for (name, matches) in try #require(entry["expected"]?["matches"]?.objectValue) {
                let found = result[QueryID(name)]?.matches.map { JSONValue.string($0.credential.text) } ?? []
                #expect(.array(found) == matches, "\(id), \(name)")
            }
        }
        file.report(ran: cases.count)
    }
}
