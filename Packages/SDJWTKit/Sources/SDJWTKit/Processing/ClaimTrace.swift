/// The values of a processed payload that came from Disclosures, and the places where Disclosures are missing.
///
/// A node stands for each value, followed by the nodes of its parts, in the order of the values. A value with nothing
/// hidden in it has no such nodes, so a trace is as small as the hidden part.
struct ClaimTrace: Sendable {
    /// The content of a value, as far as Disclosures matter.
    enum Content: Sendable {
        /// A value in which nothing was hidden.
        case plain
        /// Members, of which at least one is hidden or was, or holds something that was; and whether there are no digests
        /// without a Disclosure, which may stand for more of them.
        case object(isComplete: Bool)
        /// Elements, of which at least one is hidden or was, or holds something that was.
        case array
        /// An element of an array whose Disclosure is missing.
        case withheld
    }

    struct Node: Sendable {
        fileprivate(set) var content: Content
        /// The Disclosure that the value came from, by its place; nil for a value that is always visible, and for one
        /// that is withheld.
        var disclosure: Int? { from < 0 ? nil : Int(from) }
        /// The number of nodes from this one to the last one inside it.
        var size: Int { Int(nodes) }

        // Small, since there is one for each claim: no text that is read holds 2³¹ values or Disclosures.
        private let from: Int32
        private var nodes: Int32 = 1

        fileprivate init(_ content: Content, _ disclosure: Int?) {
            self.content = content
            from = disclosure.map { Int32(clamping: $0) } ?? -1
        }

        fileprivate mutating func close(size: Int) {
            nodes = Int32(clamping: size)
        }

        /// Indicates that the value and all inside it stood in the open.
        var isPlain: Bool {
            guard disclosure == nil, case .plain = content else { return false }
            return true
        }
    }

    private(set) var nodes: ContiguousArray<Node> = []

    init(capacity: Int) {
        nodes.reserveCapacity(capacity)
    }

    /// The nodes of the members or elements of a node.
    func children(of node: Int) -> [Int] {
        var children: [Int] = []
        var child = node + 1
        while child < node + nodes[node].size {
            children.append(child)
            child += nodes[child].size
        }
        return children
    }

    /// The node of the member or element at a place inside a node; nil inside of a value in which nothing was hidden.
    func child(at place: Int, of node: Int) -> Int? {
        var child = node + 1
        guard child < node + nodes[node].size else { return nil }
        for _ in 0..<place { child += nodes[child].size }
        return child
    }

    /// The Disclosures of a value and of all values inside it.
    func disclosures(inside node: Int) -> [Int] {
        nodes[node..<node + nodes[node].size].compactMap(\.disclosure)
    }
}

// Making a trace, in one pass over the payload.
extension ClaimTrace {
    /// Adds a value with nothing hidden in it, or a withheld one.
    mutating func add(_ content: Content, disclosure: Int? = nil) {
        nodes.append(Node(content, disclosure))
    }

    /// Adds an object or an array, to which belongs what is added until it is closed.
    mutating func open(disclosure: Int?) -> Int {
        add(.plain, disclosure: disclosure)
        return nodes.count - 1
    }

    /// Closes an object or an array; where nothing was hidden in it, nothing is kept of what is inside.
    mutating func close(_ node: Int, as content: Content) {
        if case .object(isComplete: false) = content {
            nodes[node].content = content
        } else if nodes[(node + 1)...].allSatisfy(\.isPlain) {
            nodes.removeSubrange((node + 1)...)
        } else {
            nodes[node].content = content
        }
        nodes[node].close(size: nodes.count - node)
    }

    /// Removes the member at a place of the object that was opened first.
    mutating func removeMember(at place: Int) {
        var child = 1
        for _ in 0..<place { child += nodes[child].size }
        nodes.removeSubrange(child..<child + nodes[child].size)
    }
}
