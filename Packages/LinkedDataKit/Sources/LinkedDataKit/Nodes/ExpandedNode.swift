import JSONKit
import VerificationCore

/// The node of a credential or presentation in its expanded form.
///
/// The node is the document itself: nodes below it, and those of graphs that it contains, such as the credentials of a
/// presentation, are never taken for it.
struct ExpandedNode {
    private let node: JSONObject
    /// The objects that describe the nodes with a name, outside of graphs.
    private let descriptions: [ExactText: [JSONObject]]

    /// The only node at the top of a document.
    ///
    /// - Throws: ``LinkedDataError/Code/invalidCredential`` for a document that expands to none or to several, or to a
    ///   graph.
    init(_ document: ExpandedDocument) throws(LinkedDataError) {
        let nodes = document.value.arrayValue ?? []
        guard nodes.count == 1, let node = nodes[0].objectValue, !node.contains("@graph") else {
            throw LinkedDataError(.invalidCredential, "the document is not exactly one node")
        }
        self.node = node
        descriptions = Self.descriptions(in: node)
    }

    private static func descriptions(in node: JSONObject) -> [ExactText: [JSONObject]] {
        var descriptions: [ExactText: [JSONObject]] = [:]
        var pending: [JSONValue] = [.object(node)]
        while let value = pending.popLast() {
            if let elements = value.arrayValue {
                pending += elements.reversed()
                continue
            }
            guard let object = value.objectValue, !object.contains("@value") else { continue }
            if object.count > 1, let name = object["@id"]?.stringValue {
                descriptions[ExactText(name), default: []].append(object)
            }
            for (name, value) in object where name != "@graph" { pending.append(value) }
        }
        return descriptions
    }

    /// The places where the document describes its nodes.
    var statementPlaces: StatementPlaces { StatementPlaces(of: node) }

    /// The types, as IRIs.
    var types: [ExactText] {
        let named = objects(of: node).flatMap { $0["@type"]?.arrayValue ?? [] }.compactMap(\.stringValue)
        var seen: Set<ExactText> = []
        return (named.map { ExactText($0) } + ids(of: ExactText(RDFVocabulary.rdfType)).compactMap { $0 })
            .filter { seen.insert($0).inserted }
    }

    /// The identifier, or nil.
    var id: ExactText? { node["@id"]?.stringValue.map { ExactText($0) } }

    /// The identifiers of the nodes that a property leads to.
    func ids(of property: ExactText) -> [ExactText?] {
        values(of: property, in: node).map { $0["@id"]?.stringValue.map { ExactText($0) } }
    }

    /// The number of values of a property, graphs among them.
    func count(of property: ExactText) -> Int {
        objects(of: node).reduce(0) { $0 + ($1[property.text]?.arrayValue?.count ?? 0) }
    }

    /// The values that a path of properties leads to, without entering graphs.
    ///
    /// A node is what all places say of it, and a literal has one form, however the document writes it.
    func values(at path: [ExactText]) -> [JSONValue] {
        var values: [JSONValue] = [.object(node)]
        for property in path {
            // Each node once: nodes that name each other would come back ever more often.
            var names: Set<ExactText> = []
            let objects = values.compactMap(\.objectValue).filter { object in
                object["@id"]?.stringValue.map { names.insert(ExactText($0)).inserted } ?? true
            }
            values = objects.flatMap { self.values(of: property, in: $0) }
        }
        return values.map { value in
            guard let object = value.objectValue else { return value }
            return .object(object.contains("@value") ? LiteralForm.normalized(object) : merged(object))
        }
    }

    /// The objects that describe the node of an object: those with its name, or itself.
    private func objects(of object: JSONObject) -> [JSONObject] {
        object["@id"]?.stringValue.flatMap { descriptions[ExactText($0)] } ?? [object]
    }

    /// All that is said of the node of an object, in one object.
    private func merged(_ object: JSONObject) -> JSONObject {
        let objects = objects(of: object)
        guard objects.count > 1 else { return objects.first ?? object }
        var names: [ExactText] = []
        var values: [ExactText: [JSONValue]] = [:]
        for (name, value) in objects.lazy.joined() where name != "@id" {
            let name = ExactText(name)
            if values[name] == nil { names.append(name) }
            values[name, default: []] += value.arrayValue ?? [value]
        }
        let members = names.map { name in
            var seen: Set<JSONValue> = []
            let distinct = (values[name] ?? []).filter { seen.insert($0).inserted }
            return JSONObject.Entry(name: name.text, value: .array(distinct))
        }
        return JSONObject(distinct: [JSONObject.Entry(name: "@id", value: object["@id"] ?? .null)] + members)
    }

    /// The values of a property, those of its lists and sets one by one, and without graphs.
    ///
    /// A duplicate value or name counts once, as in the graph; in a list it counts each time.
    private func values(of property: ExactText, in object: JSONObject) -> [JSONValue] {
        var names: Set<ExactText> = []
        var literals: Set<LiteralForm> = []
        var values: [JSONValue] = []
        for value in objects(of: object).flatMap({ $0[property.text]?.arrayValue ?? [] }) {
            if let name = value["@id"]?.stringValue {
                guard names.insert(ExactText(name)).inserted else { continue }
            } else if let object = value.objectValue, let literal = LiteralForm(object) {
                guard literals.insert(literal).inserted else { continue }
            }
            let elements = value["@list"]?.arrayValue ?? value["@set"]?.arrayValue ?? [value]
            values += elements.filter { $0["@graph"] == nil }
        }
        return values
    }
}

/// The IRIs of the credentials vocabulary.
enum CredentialsVocabulary {
    private static let base = "https://www.w3.org/2018/credentials#"

    static let credential = ExactText(base + "VerifiableCredential")
    static let presentation = ExactText(base + "VerifiablePresentation")
    static let issuer = ExactText(base + "issuer")
    static let holder = ExactText(base + "holder")
    static let subject = ExactText(base + "credentialSubject")
    static let status = ExactText(base + "credentialStatus")
    static let relatedResource = ExactText(base + "relatedResource")
    static let credentials = ExactText(base + "verifiableCredential")

    /// The property of a member that has the name of its term.
    static func property(_ member: String) -> ExactText { ExactText(base + member) }
}
