import JSONKit
import VerificationCore

/// Object to RDF conversion (JSON-LD 1.1 API, sections 7.1 and 8.1), without recursion.
///
/// A dataset is a set of quads, so that the node map of the specification, which merges nodes of the same name, has
/// nothing to add but for compound literals: each entry of each node becomes quads at once.
struct RDFConverter {
    /// Nodes whose entries are still to be converted, and their graph.
    private struct Pending {
        let node: JSONObject
        /// The term of the node; nil if it has no well-formed name, so that nothing is said of it.
        let subject: TermID?
        let graph: TermID
    }

    /// A node of one graph.
    private struct GraphNode: Hashable {
        let subject: TermID
        let graph: TermID
    }

    /// A value of a property that becomes a blank node.
    private struct CompoundLiteral: Hashable {
        let subject: TermID
        let predicate: TermID
        let graph: TermID
        /// The value, language, direction and index.
        let parts: [ExactText?]
    }

    let options: JSONLDOptions
    /// The names of blank nodes; nil to number them as they come.
    private let names: BlankNodeNames?
    var dataset = RDFDataset()
    private var pending: [Pending] = []
    private var blankNodes: [ExactText: TermID] = [:]
    private var blankNodeCount = 0
    private var indexes: [GraphNode: JSONValue] = [:]
    private var compoundLiterals: Set<CompoundLiteral> = []

    init(options: JSONLDOptions, names: BlankNodeNames? = nil) {
        self.options = options
        self.names = names
    }

    var isSafe: Bool { options.safeMode != nil }

    mutating func convert(_ nodes: [JSONValue]) throws(LinkedDataError) -> RDFDataset {
        for node in nodes.reversed() { try beginMember(node, graph: QuadIDs.defaultGraph) }
        while let next = pending.popLast() { try convert(next) }
        return dataset
    }

    // MARK: Nodes

    /// Names a node and puts it on the stack; nil for one without a well-formed name.
    @discardableResult
    private mutating func begin(_ node: JSONValue, graph: TermID) throws(LinkedDataError) -> TermID? {
        guard case .object(let object) = node else { return nil }
        let subject = try subject(of: object)
        if let subject, let index = object["@index"] {
            let place = GraphNode(subject: subject, graph: graph)
            guard indexes.updateValue(index, forKey: place) ?? index == index else {
                throw LinkedDataError(.conflictingIndexes, "a node has two values of @index", path: ["@index"])
            }
        }
        if object.count > (object.contains("@id") ? 1 : 0) {
            pending.append(Pending(node: object, subject: subject, graph: graph))
        }
        return subject
    }

    /// Begins a node that stands for itself; in safe mode something must be said of it.
    ///
    /// A value or list that stands for itself belongs to no quad.
    private mutating func beginMember(_ node: JSONValue, graph: TermID) throws(LinkedDataError) {
        let object = node.objectValue ?? [:]
        let isNode = !object.contains("@value") && !object.contains("@list")
        guard !isSafe || isNode && !object.hasOnlyID else {
            throw LinkedDataError(.droppedTerm, "a graph says nothing of its member", path: ["@graph"])
        }
        if isNode { try begin(node, graph: graph) }
    }

    /// Begins the nodes among the values of a property that has no quads: what they say of themselves remains.
    private mutating func beginNodes(inside value: JSONValue, graph: TermID) throws(LinkedDataError) {
        var values = value.elements
        while let value = values.popLast() {
            if let list = value["@list"] {
                values += list.elements
            } else if value["@value"] == nil {
                try begin(value, graph: graph)
            }
        }
    }

    private mutating func subject(of node: JSONObject) throws(LinkedDataError) -> TermID? {
        guard let id = node["@id"] else { return newBlankNode() }
        if names != nil, let number = BlankNodeNames.number(of: id) { return dataset.terms.intern(blankNode: number) }
        guard let text = id.stringValue else { return nil }
        return try resource(text)
    }

    private mutating func convert(_ next: Pending) throws(LinkedDataError) {
        for (name, value) in next.node {
            switch Keyword(name) {
            case .type?:
                for type in value.elements {
                    guard let text = type.stringValue, let object = try resource(text) else { continue }
                    emit(next.subject, dataset.terms.intern(iri: RDFVocabulary.rdfType), object, next.graph)
                }
            case .graph?:
                // A graph without a well-formed name cannot be said; its nodes are left out.
                guard let name = next.subject else { continue }
                for node in value.elements.reversed() { try beginMember(node, graph: name) }
            case .included?:
                for node in value.elements.reversed() { try beginMember(node, graph: next.graph) }
            case .reverse?:
                for (property, nodes) in value.objectValue ?? [:] {
                    let predicate = try predicate(property)
                    for node in nodes.elements {
                        let subject = try begin(node, graph: next.graph)
                        guard let predicate, let object = next.subject else { continue }
                        emit(subject, predicate, object, next.graph)
                    }
                }
            case .some: break
            case nil:
                guard let predicate = try predicate(name), let subject = next.subject else {
                    try beginNodes(inside: value, graph: next.graph)
                    continue
                }
                for item in value.elements where !isRepeated(item, of: subject, predicate, next.graph) {
                    guard let object = try object(item, graph: next.graph) else { continue }
                    emit(next.subject, predicate, object, next.graph)
                }
            }
        }
    }

    /// Returns `true` for a value that the property has already, where each would become a blank node of its own.
    ///
    /// The node map has equal values once (section 7.2).
    private mutating func isRepeated(
        _ item: JSONValue,
        of subject: TermID,
        _ predicate: TermID,
        _ graph: TermID
    ) -> Bool {
        guard options.rdfDirection == .compoundLiteral, item["@direction"] != nil else { return false }
        let parts = ["@value", "@language", "@direction", "@index"].map { item[$0]?.stringValue.map { ExactText($0) } }
        let literal = CompoundLiteral(subject: subject, predicate: predicate, graph: graph, parts: parts)
        return !compoundLiterals.insert(literal).inserted
    }

    // MARK: Objects

    /// The term of a value; nil for one that has none.
    private mutating func object(_ item: JSONValue, graph: TermID) throws(LinkedDataError) -> TermID? {
        guard case .object(let object) = item else { return nil }
        if object.contains("@value") { return try literal(object, graph: graph) }
        if object.contains("@list") { return try list(object, graph: graph) }
        return try begin(item, graph: graph)
    }

    /// Converts a list and those inside it (section 8.3).
    ///
    /// The cells of a list wait for the term of its first entry, which may be another list, on a stack.
    private mutating func list(_ list: JSONObject, graph: TermID) throws(LinkedDataError) -> TermID {
        let first = dataset.terms.intern(iri: RDFVocabulary.rdfFirst)
        let rest = dataset.terms.intern(iri: RDFVocabulary.rdfRest)
        let end = dataset.terms.intern(iri: RDFVocabulary.rdfNil)
        let head = isEmpty(list) ? end : newCell(0, of: list)
        var lists = [(cell: head, list: list)]
        while let (start, list) = lists.popLast() {
            let items = list["@list"]?.elements ?? []
            var cell = start
            for (index, item) in items.enumerated() {
                let object: TermID?
                if case .object(let nested) = item, case .array? = nested["@list"] {
                    let inner = isEmpty(nested) ? end : newCell(0, of: nested)
                    lists.append((inner, nested))
                    object = inner
                } else {
                    object = try self.object(item, graph: graph)
                }
                if let object { emit(cell, first, object, graph) }
                let next = index == items.count - 1 ? end : newCell(index + 1, of: list)
                emit(cell, rest, next, graph)
                cell = next
            }
        }
        return head
    }

    private func isEmpty(_ list: JSONObject) -> Bool { list["@list"]?.elements.isEmpty ?? true }

    /// The blank node of a cell, which goes by the name of its list where blank nodes are named.
    private mutating func newCell(_ index: Int, of list: JSONObject) -> TermID {
        guard let names, let number = BlankNodeNames.number(of: list["@id"]) else { return newBlankNode() }
        return dataset.terms.intern(blankNode: names.number(ofCell: index, inList: number))
    }

    // MARK: Terms

    mutating func newBlankNode() -> TermID {
        if let names { return dataset.terms.intern(blankNode: names.newNumber()) }
        blankNodeCount += 1
        return dataset.terms.intern(blankNode: blankNodeCount - 1)
    }

    /// The term of an IRI or blank node identifier; nil if it is not well-formed.
    private mutating func resource(_ text: String) throws(LinkedDataError) -> TermID? {
        if ExpandedIRI.isBlankNode(text) {
            if let names { return dataset.terms.intern(blankNode: names.number(ofLabel: text)) }
            if let known = blankNodes[ExactText(text)] { return known }
            let node = newBlankNode()
            blankNodes[ExactText(text)] = node
            return node
        }
        return try iri(text)
    }

    /// The term of an IRI; nil if it is not well-formed.
    mutating func iri(_ text: String) throws(LinkedDataError) -> TermID? {
        guard IRIReference.isWellFormed(text) else {
            guard !isSafe else { throw LinkedDataError(.relativeIRI, "\(ExactText(text)) is not an absolute IRI") }
            return nil
        }
        return dataset.terms.intern(iri: text)
    }

    private mutating func predicate(_ text: String) throws(LinkedDataError) -> TermID? {
        guard !ExpandedIRI.isBlankNode(text) else {
            guard !isSafe else { throw LinkedDataError(.blankNodePredicate, "\(ExactText(text)) is a predicate") }
            return nil
        }
        return try iri(text)
    }

    mutating func emit(_ subject: TermID?, _ predicate: TermID, _ object: TermID, _ graph: TermID) {
        guard let subject else { return }
        dataset.insert(QuadIDs(subject: subject, predicate: predicate, object: object, graph: graph))
    }
}

extension JSONObject {
    /// Returns `true` for a node object that says nothing of its node.
    fileprivate var hasOnlyID: Bool { count == 1 && contains("@id") }
}
