import JSONKit

/// Evaluates compiled schemas without calling itself: what is left to do is on one stack, the results are on another.
struct SchemaEvaluation {
    /// A remaining step; the last step comes first.
    private enum Step {
        case evaluate(Int, JSONValue)
        /// Combines as many results as there are.
        case combine(Combination, Int)
        /// Takes the results of `then`, of `else` and, last evaluated, of the condition.
        case choose
    }

    private enum Combination {
        case all
        case any
        case exactlyOne
        case none
    }

    /// The number of bytes of a text that are counted in one step.
    private static let bytesPerStep = 64
    /// The largest number of remaining steps: schemas that apply each other leave some behind at each level.
    private static let maximumDepth = 20_000

    private let nodes: [SchemaNode]
    private let limits: JSONSchemaLimits
    private(set) var budget: EvaluationBudget
    private var steps: [Step] = []
    private var results: [Bool] = []

    init(_ nodes: [SchemaNode], limits: JSONSchemaLimits, _ budget: EvaluationBudget) {
        self.nodes = nodes
        self.limits = limits
        self.budget = budget
    }

    mutating func accepts(_ value: JSONValue) throws(OID4VPError) -> Bool {
        steps = [.evaluate(0, value)]
        results = []
        while let step = steps.popLast() {
            switch step {
            case .evaluate(let node, let value): try evaluate(nodes[node], value)
            case .combine(let combination, let count): combine(combination, count)
            case .choose:
                let outcomes = taken(3)
                results.append(outcomes[2] ? outcomes[1] : outcomes[0])
            }
        }
        return results.last ?? false
    }

    private mutating func taken(_ count: Int) -> [Bool] {
        let taken = Array(results.suffix(count))
        results.removeLast(taken.count)
        return taken
    }

    private mutating func combine(_ combination: Combination, _ count: Int) {
        let outcomes = taken(count)
        let result =
            switch combination {
            case .all: outcomes.allSatisfy { $0 }
            case .any: outcomes.contains(true)
            case .exactlyOne: outcomes.filter { $0 }.count == 1
            case .none: !outcomes.contains(true)
            }
        results.append(result)
    }

    private mutating func evaluate(_ node: SchemaNode, _ value: JSONValue) throws(OID4VPError) {
        try budget.spend(1 + node.applications.count)
        guard steps.count <= Self.maximumDepth else {
            throw OID4VPError(.limitExceeded, "the evaluation leaves more than \(Self.maximumDepth) steps behind")
        }
        for assertion in node.assertions {
            guard try holds(assertion, for: value) else {
                results.append(false)
                return
            }
        }
        guard !node.applications.isEmpty else {
            results.append(true)
            return
        }
        steps.append(.combine(.all, node.applications.count))
        for application in node.applications { try apply(application, to: value) }
    }

    /// Plans the evaluations of other schemas, whose combination is one result.
    private mutating func apply(_ application: SchemaApplication, to value: JSONValue) throws(OID4VPError) {
        switch application {
        case .reference(let node): try plan(.all, [(node, value)])
        case .not(let node): try plan(.none, [(node, value)])
        case .all(let nodes): try plan(.all, nodes.map { ($0, value) })
        case .any(let nodes): try plan(.any, nodes.map { ($0, value) })
        case .exactlyOne(let nodes): try plan(.exactlyOne, nodes.map { ($0, value) })
        case .conditional(let condition, let then, let otherwise):
            try budget.spend(3)
            steps.append(.choose)
            // The step planned last is made first, and its result is the lowest of the three.
            steps.append(.evaluate(condition, value))
            steps.append(then.map { .evaluate($0, value) } ?? .combine(.all, 0))
            steps.append(otherwise.map { .evaluate($0, value) } ?? .combine(.all, 0))
        case .contains(let node):
            guard let elements = value.arrayValue else { return results.append(true) }
            try plan(.any, elements.map { (node, $0) })
        case .elements(let first, let others):
            guard let elements = value.arrayValue else { return results.append(true) }
            var pairs = zip(first, elements).map { ($0, $1) }
            if let others { pairs += elements.dropFirst(first.count).map { (others, $0) } }
            try plan(.all, pairs)
        case .members(let named, let matching, let others):
            guard let members = value.objectValue else { return results.append(true) }
            try plan(.all, try pairs(members, named, matching, others))
        case .memberNames(let node):
            guard let members = value.objectValue else { return results.append(true) }
            try plan(.all, members.names.map { (node, .string($0)) })
        }
    }

    private mutating func plan(_ combination: Combination, _ pairs: [(Int, JSONValue)]) throws(OID4VPError) {
        try budget.spend(pairs.count)
        steps.append(.combine(combination, pairs.count))
        for (node, value) in pairs { steps.append(.evaluate(node, value)) }
    }

    private mutating func pairs(
        _ members: JSONObject,
        _ named: [(name: String, schema: Int)],
        _ matching: [(pattern: LinearPattern, schema: Int)],
        _ others: Int?
    ) throws(OID4VPError) -> [(Int, JSONValue)] {
        var pairs: [(Int, JSONValue)] = []
        for (name, value) in members {
            try budget.spend(1 + named.count + matching.count)
            let before = pairs.count
            for entry in named where entry.name.hasSameBytes(as: name) { pairs.append((entry.schema, value)) }
            for entry in matching where try matches(entry.pattern, name) { pairs.append((entry.schema, value)) }
            if pairs.count == before, let others { pairs.append((others, value)) }
        }
        return pairs
    }

    private mutating func matches(_ pattern: LinearPattern, _ text: String) throws(OID4VPError) -> Bool {
        guard text.utf8.count <= limits.textLength else {
            throw OID4VPError(.limitExceeded, "a text to search has more than \(limits.textLength) bytes")
        }
        return try budget.search(text, for: pattern)
    }
}

extension SchemaEvaluation {
    /// Evaluates a demand on the value itself; one for another type of value holds.
    private mutating func holds(_ assertion: SchemaAssertion, for value: JSONValue) throws(OID4VPError) -> Bool {
        switch (assertion, value) {
        case (.never, _): return false
        case (.types(let types), _):
            try budget.spend(types.count)
            return types.contains { $0.includes(value) }
        case (.oneOf(let values), _):
            try budget.spend(values.count)
            return values.contains { $0.hasSameValue(as: value) }
        case (.pattern(let pattern), .string(let text)): return try matches(pattern, text)
        case (.length(let range), .string(let text)):
            try budget.spend(text.utf8.count / Self.bytesPerStep)
            return range.contains(text.unicodeScalars.count)
        case (.textMinimum(let bound), .string(let text)):
            return !text.utf8.lexicographicallyPrecedes(bound.utf8)
        case (.textMaximum(let bound), .string(let text)):
            return !bound.utf8.lexicographicallyPrecedes(text.utf8)
        case (.elements(let range), .array(let elements)): return range.contains(elements.count)
        case (.uniqueElements, .array(let elements)): return try areUnique(elements)
        case (.members(let range), .object(let members)): return range.contains(members.count)
        case (.required(let names), .object(let members)):
            try budget.spend(names.count)
            return names.allSatisfy(members.contains)
        case (_, .number(let number)): return Self.holds(assertion, for: number)
        default: return true
        }
    }

    private static func holds(_ assertion: SchemaAssertion, for number: JSONNumber) -> Bool {
        switch assertion {
        case .minimum(let bound, let isExclusive):
            (isExclusive ? bound.isLess(than: number) : number.isLess(than: bound).map { !$0 }) ?? false
        case .maximum(let bound, let isExclusive):
            (isExclusive ? number.isLess(than: bound) : bound.isLess(than: number).map { !$0 }) ?? false
        case .multiple(let divisor): number.isMultiple(of: divisor)
        default: true
        }
    }

    private mutating func areUnique(_ elements: [JSONValue]) throws(OID4VPError) -> Bool {
        for (place, element) in elements.enumerated() {
            try budget.spend(place)
            if elements[..<place].contains(where: { $0.hasSameValue(as: element) }) { return false }
        }
        return true
    }
}
