import JSONKit
import SDJWTKit

/// Follows the segments of a path, with a bound on the values looked at.
struct JSONPathEvaluation {
    private(set) var budget: EvaluationBudget

    /// The number of values that a segment may have selected before it selects more: wildcards in unions select each value again and again.
    private static let maximumNodes = 20_000

    init(_ budget: EvaluationBudget) {
        self.budget = budget
    }

    mutating func nodes(
        _ segments: [JSONPathQuery.Segment],
        in root: JSONValue
    ) throws(OID4VPError) -> [JSONPathQuery.Node] {
        var selected = [JSONPathQuery.Node(path: ClaimPath([]), value: root)]
        for segment in segments {
            var following: [JSONPathQuery.Node] = []
            for node in selected {
                guard segment.descends else {
                    try select(segment.selectors, from: node, into: &following)
                    continue
                }
                // Each value before what is inside it, in their order.
                var pending = [node]
                while let node = pending.popLast() {
                    try select(segment.selectors, from: node, into: &following)
                    pending += try children(of: node).reversed()
                }
            }
            selected = following
        }
        return selected
    }

    private mutating func select(
        _ selectors: [JSONPathQuery.Selector],
        from node: JSONPathQuery.Node,
        into nodes: inout [JSONPathQuery.Node]
    ) throws(OID4VPError) {
        for selector in selectors {
            try budget.spend(1)
            guard nodes.count <= Self.maximumNodes else {
                throw OID4VPError(.limitExceeded, "a JSONPath selects more than \(Self.maximumNodes) values")
            }
            switch selector {
            case .all: nodes += try children(of: node)
            case .name(let name):
                guard let value = node.value[name] else { continue }
                nodes.append(node.child(.name(name), value))
            case .index(let index):
                guard let elements = node.value.arrayValue else { continue }
                let place = index < 0 ? elements.count + index : index
                guard elements.indices.contains(place) else { continue }
                nodes.append(node.child(.index(place), elements[place]))
            case .slice(let start, let end, let step):
                guard let elements = node.value.arrayValue else { continue }
                let places = Self.places(start, end, step, count: elements.count)
                try budget.spend(places.count)
                for place in places { nodes.append(node.child(.index(place), elements[place])) }
            }
        }
    }

    private mutating func children(of node: JSONPathQuery.Node) throws(OID4VPError) -> [JSONPathQuery.Node] {
        switch node.value {
        case .object(let members):
            try budget.spend(members.count)
            return members.map { node.child(.name($0.name), $0.value) }
        case .array(let elements):
            try budget.spend(elements.count)
            return elements.enumerated().map { node.child(.index($0.offset), $0.element) }
        default: return []
        }
    }

    /// The indices of a slice (RFC 9535, section 2.3.4.2.2).
    private static func places(_ start: Int?, _ end: Int?, _ step: Int, count: Int) -> [Int] {
        guard step != 0 else { return [] }
        func bound(_ value: Int, _ least: Int, _ most: Int) -> Int {
            min(max(value < 0 ? value + count : value, least), most)
        }
        if step > 0 {
            let lower = bound(start ?? 0, 0, count)
            let upper = bound(end ?? count, 0, count)
            return Array(stride(from: lower, to: upper, by: step))
        }
        let upper = start.map { bound($0, -1, count - 1) } ?? count - 1
        let lower = end.map { bound($0, -1, count - 1) } ?? -1
        return Array(stride(from: upper, to: lower, by: step))
    }
}

extension JSONPathQuery.Node {
    fileprivate func child(_ step: ClaimPath.Component, _ value: JSONValue) -> JSONPathQuery.Node {
        JSONPathQuery.Node(path: ClaimPath(path.components + [step]), value: value)
    }
}
