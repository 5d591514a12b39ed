import JSONKit
import VerificationCore

/// The places where an expanded document says something of its nodes.
///
/// A signature over the graph covers what is said, and not where: a holder can move a statement to any other object that
/// names the node. Readers of the JSON miss it where it stood.
struct StatementPlaces {
    /// A finding that makes places a matter of choice.
    enum Finding: Hashable {
        /// A keyword by which nodes are described outside of the objects that lead to them.
        case keyword(String)
        /// A property of RDF's own, for which JSON-LD has a form.
        case property(String)
        /// A property that has the same value twice, of which the graph keeps one.
        case repeatedValue(String)
        /// A node that is named several times, where not every place says all of it.
        case sharedNode(ExactText)
    }

    /// One object that names a node.
    private struct Place {
        let object: JSONObject
        /// The property that leads to the object; nil for the document itself and the members of graphs.
        let property: String?

        /// Readers look for the node here: it is the subject or status entry of a credential, or the document itself.
        var isHome: Bool {
            property.map { property in StatementPlaces.homes.contains { $0.text.hasSameBytes(as: property) } } ?? true
        }

        /// Indicates that nothing is said of the node.
        var isBare: Bool { object.count == 1 }
    }

    /// A node of one graph.
    private struct Node: Hashable {
        let name: ExactText
        let graph: Int
    }

    /// An object or array on the way, and the graph and property that it belongs to.
    private struct Pending {
        let value: JSONValue
        let graph: Int
        var property: String?
    }

    private enum ComparableValue: Hashable {
        case node(ExactText)
        case literal(LiteralForm)
        /// A list, or a node without a name: another one each time, even if it says the same.
        case unnamed(JSONValue)

        init(_ value: JSONValue) {
            if let text = value.stringValue {
                self = .node(ExactText(text))
            } else if let object = value.objectValue, let form = LiteralForm(object) {
                self = .literal(form)
            } else if let name = value["@id"]?.stringValue {
                self = .node(ExactText(name))
            } else {
                self = .unnamed(value)
            }
        }

        var isUnnamed: Bool { if case .unnamed = self { true } else { false } }
    }

    private(set) var findings: [Finding] = []
    private var places: [Node: [Place]] = [:]
    private var order: [Node] = []
    private var graphs: [ExactText: Int] = [:]
    private var graphCount = 1
    private var pending: [Pending]

    private static let homes: [ExactText] = [CredentialsVocabulary.subject, CredentialsVocabulary.status]
    private static let resourceProperties: [ExactText] = [
        CredentialsVocabulary.property("digestSRI"), "https://w3id.org/security#digestMultibase",
        "https://schema.org/encodingFormat",
    ]
    private static let ownProperties = [RDFVocabulary.rdfType, RDFVocabulary.rdfFirst, RDFVocabulary.rdfRest]

    /// Goes through the node of a document.
    init(of node: JSONObject) {
        pending = [Pending(value: .object(node), graph: 0)]
        while let next = pending.popLast() {
            if let elements = next.value.arrayValue {
                pending += elements.map { Pending(value: $0, graph: next.graph, property: next.property) }
            } else if let object = next.value.objectValue, !object.contains("@value") {
                visit(object, next)
            }
        }
        findings += order.filter(isShared).map { .sharedNode($0.name) }
    }

    // MARK: On the way

    private mutating func visit(_ object: JSONObject, _ place: Pending) {
        let name = object["@id"]?.stringValue.map { ExactText($0) }
        if let name {
            let node = Node(name: name, graph: place.graph)
            if places[node] == nil { order.append(node) }
            places[node, default: []].append(Place(object: object, property: place.property))
            if name.text.hasSameBytes(as: RDFVocabulary.rdfNil) { findings.append(.property(name.text)) }
        }
        for (property, value) in object {
            switch property {
            case "@id", "@index", "@language", "@direction": break
            case "@included", "@reverse": findings.append(.keyword(property))
            case "@type": noteRepeatedValues(of: property, value)
            case "@list": pending.append(Pending(value: value, graph: place.graph, property: place.property))
            case "@graph": pending.append(Pending(value: value, graph: graph(named: name)))
            default:
                if Self.ownProperties.contains(where: { $0.hasSameBytes(as: property) }) {
                    findings.append(.property(property))
                }
                noteRepeatedValues(of: property, value)
                pending.append(Pending(value: value, graph: place.graph, property: property))
            }
        }
    }

    private mutating func graph(named name: ExactText?) -> Int {
        if let name, let known = graphs[name] { return known }
        graphCount += 1
        if let name { graphs[name] = graphCount }
        return graphCount
    }

    private mutating func noteRepeatedValues(of property: String, _ value: JSONValue) {
        guard let elements = value.arrayValue, elements.count > 1 else { return }
        let values = elements.map { ComparableValue($0) }.filter { !$0.isUnnamed }
        if Set(values).count < values.count { findings.append(.repeatedValue(property)) }
    }

    // MARK: Nodes

    /// Returns `true` for a node of which a holder can choose where it is described.
    private func isShared(_ node: Node) -> Bool {
        let places = Self.withoutResource(places[node] ?? [])
        guard places.count > 1, !places.allSatisfy(\.isBare) else { return false }
        let homes = places.filter(\.isHome)
        let described = homes.isEmpty ? places : homes + places.filter { !$0.isHome && !$0.isBare }
        guard described.count > 1 else { return described.allSatisfy(\.isBare) }
        return Set(described.map { Self.statements(of: $0.object) }).count > 1
    }

    /// The places beside the object of `relatedResource`, where that has the digests of the node and nothing else has any
    /// (Verifiable Credentials Data Model 2.0, section 5.3).
    private static func withoutResource(_ places: [Place]) -> [Place] {
        func isResource(_ place: Place) -> Bool { place.property == CredentialsVocabulary.relatedResource.text }
        let others = places.filter { !isResource($0) }
        let isSplit =
            places.count == others.count + 1
            && places.allSatisfy { place in
                place.object.names.allSatisfy { name in
                    name == "@id" || isResource(place) == resourceProperties.contains { $0.text.hasSameBytes(as: name) }
                }
            }
        return isSplit ? others : places
    }

    /// The statements of an object by their property.
    private static func statements(of object: JSONObject) -> [ExactText: Set<ComparableValue>] {
        var statements: [ExactText: Set<ComparableValue>] = [:]
        for (name, value) in object where name != "@id" {
            statements[ExactText(name)] = Set((value.arrayValue ?? [value]).map { ComparableValue($0) })
        }
        return statements
    }
}
