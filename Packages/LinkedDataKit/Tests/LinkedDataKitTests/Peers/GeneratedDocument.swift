import JSONKit
import TestSupport

/// Documents of a seed: nested nodes, lists, sets, JSON literals, language and index maps, blank nodes and scoped
/// contexts.
struct GeneratedDocument {
    private var generator: RepeatableRandomNumberGenerator
    private var nodes = 0

    init(seed: UInt64) {
        generator = RepeatableRandomNumberGenerator(seed: seed)
    }

    private static let vocabulary = "https://example.org/vocabulary#"

    private static func term(_ name: String, _ members: JSONObject = [:]) -> JSONObject.Member {
        var definition: JSONObject = ["@id": .string(vocabulary + name)]
        for (name, value) in members { definition[name] = value }
        return (name, .object(definition))
    }

    /// The context of all documents; the types `Person` and `Group` and the property `scope` have contexts of their
    /// own.
    private static let context: JSONValue = {
        let terms: [JSONObject.Member] = [
            ("@version", .number((try? JSONNumber(text: "1.1")) ?? JSONNumber(1))), ("id", "@id"), ("type", "@type"),
            ("xsd", "http://www.w3.org/2001/XMLSchema#"),
            term("Person", ["@context": ["title": .string(vocabulary + "personTitle")]]),
            term("Group", ["@context": ["title": .string(vocabulary + "groupTitle")]]),
            term("title"), term("name"), term("knows"), term("ref", ["@type": "@id"]),
            term("date", ["@type": "xsd:date"]), term("list", ["@container": "@list"]),
            term("set", ["@container": "@set"]), term("json", ["@type": "@json"]),
            term("label", ["@container": "@language"]), term("byName", ["@container": "@index"]),
            term("byID", ["@container": "@id"]), term("german", ["@language": "de-AT"]),
            term("graph", ["@container": "@graph"]), term("number"), term("flag"),
            term(
                "scope",
                ["@context": ["inner": .string(vocabulary + "inner"), "name": .string(vocabulary + "scopedName")]]
            ),
            ("back", ["@reverse": .string(vocabulary + "knows")]),
        ]
        return .object(JSONObject(terms))
    }()

    mutating func next() -> JSONValue {
        nodes = 0
        var node = self.node(depth: 0)
        node["@context"] = Self.context
        if node.count == 1 { node["name"] = "only" }
        return .object(node)
    }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &generator)]
    }

    private mutating func text() -> String {
        pick(["", "a", "ä\u{308}", "line\nbreak", "quote\"", "back\\slash", "tab\t", "\u{1f600}", "zwj\u{200d}"])
            + String(Int.random(in: 0..<10, using: &generator))
    }

    private mutating func identifier() -> String {
        chance(40)
            ? "_:b\(Int.random(in: 0..<6, using: &generator))" : "urn:node:\(Int.random(in: 0..<12, using: &generator))"
    }

    private mutating func node(depth: Int) -> JSONObject {
        nodes += 1
        var node: JSONObject = [:]
        if chance(60) { node["id"] = .string(identifier()) }
        let type = chance(40) ? pick(["Person", "Group"]) : nil
        if let type {
            node["type"] = .string(type)
            node["title"] = .string(text())
        }
        for _ in 0..<Int.random(in: 1...4, using: &generator) { addProperty(to: &node, depth: depth) }
        return node
    }

    private mutating func child(_ depth: Int) -> JSONValue {
        guard depth < 4, nodes < 24 else { return ["id": .string(identifier())] }
        return .object(node(depth: depth + 1))
    }

    /// A node without an identifier, since a node has one value of `@index`.
    private mutating func unnamed(_ depth: Int) -> JSONValue {
        guard depth < 4, nodes < 24 else { return ["name": .string(text())] }
        var node = self.node(depth: depth + 1)
        node["id"] = nil
        return .object(node)
    }

    private mutating func several(_ make: (inout GeneratedDocument) -> JSONValue) -> JSONValue {
        var values: [JSONValue] = []
        for _ in 0..<Int.random(in: 1...3, using: &generator) { values.append(make(&self)) }
        return .array(values)
    }

    private mutating func addProperty(to node: inout JSONObject, depth: Int) {
        switch Int.random(in: 0..<16, using: &generator) {
        case 0: node["name"] = .string(text())
        case 1: node["knows"] = several { $0.child(depth) }
        case 2: node["ref"] = .string(identifier())
        case 3: node["date"] = .string("2026-01-0\(Int.random(in: 1...9, using: &generator))")
        case 4: node["list"] = several { $0.chance(50) ? .string($0.text()) : $0.child(depth) }
        case 5: node["set"] = several { .string($0.text()) }
        case 6: node["json"] = ["z": .string(text()), "a": [1, true, .null, .string(text())]]
        case 7: node["label"] = ["en-GB": .string(text()), "de": several { .string($0.text()) }]
        case 8: node["byName"] = ["first": unnamed(depth), "second": unnamed(depth)]
        case 9:
            var keys: JSONObject = [:]
            keys["urn:key:\(nodes)"] = ["name": .string(text())]
            node["byID"] = .object(keys)
        case 10: node["german"] = .string(text())
        case 11: node["graph"] = child(depth)
        case 12: node["number"] = pick([.integer(0), .integer(-7), .integer(1 << 40)])
        case 13: node["flag"] = .bool(chance(50))
        case 14: node["scope"] = ["inner": .string(text()), "name": .string(text())]
        default: node["back"] = child(depth)
        }
    }
}
