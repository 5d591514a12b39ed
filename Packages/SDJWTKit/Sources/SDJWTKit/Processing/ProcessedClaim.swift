import JSONKit

/// A value of a processed payload, together with what is known about the Disclosures that it and what is inside it came from.
struct ProcessedClaim: Sendable {
    /// The value without what is withheld; nil if it is itself.
    let value: JSONValue?

    private let trace: ClaimTrace
    /// The node of the value; nil inside of a value in which nothing was hidden.
    private let node: Int?

    init(_ value: JSONValue?, _ trace: ClaimTrace, node: Int?) {
        self.value = value
        self.trace = trace
        self.node = node
    }

    /// The content of the value.
    var content: ClaimTrace.Content { node.map { trace.nodes[$0].content } ?? .plain }

    /// The Disclosure that the value came from, by its place; nil for a value that is always visible, and for one that
    /// is withheld.
    var disclosure: Int? { node.flatMap { trace.nodes[$0].disclosure } }

    /// Indicates that the value and all inside it stood in the open.
    var isPlain: Bool { node.map { trace.nodes[$0].isPlain } ?? true }

    var isWithheld: Bool {
        if case .withheld = content { true } else { false }
    }

    /// The kind of the value; nil if it is withheld.
    var kind: JSONKind? { value?.kind }

    /// The Disclosures of the value and of all values inside it.
    var allDisclosures: [Int] { node.map { trace.disclosures(inside: $0) } ?? [] }
}

extension ProcessedClaim {
    typealias Member = (name: String, claim: ProcessedClaim)

    /// The nodes of what is inside; nil if nothing was hidden in it.
    private var inner: [Int]? {
        guard let node, trace.nodes[node].size > 1 else { return nil }
        return trace.children(of: node)
    }

    private func child(_ value: JSONValue?, _ node: Int?) -> ProcessedClaim {
        ProcessedClaim(value, trace, node: node)
    }

    /// The member with this name; nil if absent, or if this is not an object.
    func member(_ name: String) -> ProcessedClaim? {
        guard let object = value?.objectValue, let place = object.position(of: name) else { return nil }
        return child(object[place].value, node.flatMap { trace.child(at: place, of: $0) })
    }

    /// The members of an object, none for anything else.
    var members: [Member] {
        guard let object = value?.objectValue else { return [] }
        guard let inner else { return object.map { ($0.name, child($0.value, nil)) } }
        return zip(object, inner).map { ($0.name, child($0.value, $1)) }
    }

    /// The elements of an array, those that are withheld included; none for anything else.
    var elements: [ProcessedClaim] {
        guard let elements = value?.arrayValue else { return [] }
        guard let inner else { return elements.map { child($0, nil) } }
        var present = elements.makeIterator()
        return inner.map { node in
            if case .withheld = trace.nodes[node].content { return child(nil, node) }
            return child(present.next(), node)
        }
    }

    /// The number of elements of an array, those that are withheld included; 0 for anything else.
    var elementCount: Int {
        guard let elements = value?.arrayValue else { return 0 }
        return inner?.count ?? elements.count
    }

    /// The parts of the value, with the steps that lead to them; elements are counted without the withheld ones.
    var children: [(step: ClaimPath.Component, claim: ProcessedClaim)] {
        members.map { (.name($0.name), $0.claim) }
            + elements.filter { !$0.isWithheld }.enumerated().map { (.index($0.offset), $0.element) }
    }
}
