public import JSONKit
public import SDJWTKit

/// A JSONPath as Presentation Exchange uses it: names, indices, slices, wildcards, unions and descent.
///
/// Filter and script expressions are refused by name. Nothing is ever evaluated as code.
///
/// ```swift
/// let path = try JSONPathQuery("$.vc.credentialSubject.degrees[*].type")
/// let types = try path.nodes(in: credential).map(\.value)
/// ```
public struct JSONPathQuery: Sendable, CustomStringConvertible {
    /// A value that a path selects, and its place.
    public struct Node: Sendable {
        /// The names and indices from the root to the value.
        public let path: ClaimPath
        /// The value.
        public let value: JSONValue
    }

    /// One step of the path: from a value to some of those inside it, or to some of those at any depth.
    struct Segment: Sendable {
        var descends: Bool
        var selectors: [Selector]
    }

    /// A choice of the values directly inside a value.
    enum Selector: Sendable {
        case name(String)
        case index(Int)
        case all
        case slice(start: Int?, end: Int?, step: Int)
    }

    /// The path as written.
    public let description: String

    let segments: [Segment]

    /// The path as a claims path pointer, or nil if no pointer selects the same.
    package var claimPath: ClaimPath? {
        guard let pattern, !pattern.components.isEmpty, !pattern.components.contains(.all) else { return nil }
        return pattern
    }

    /// The names and indices of the path, with a step to all elements for each wildcard; nil for one with other steps.
    var pattern: ClaimPath? {
        var components: [ClaimPath.Component] = []
        for segment in segments {
            guard !segment.descends, segment.selectors.count == 1 else { return nil }
            switch segment.selectors[0] {
            case .name(let name): components.append(.name(name))
            case .index(let index) where index >= 0: components.append(.index(index))
            case .all: components.append(.all)
            default: return nil
            }
        }
        return ClaimPath(components)
    }

    /// The number of values that an evaluation looks at by default before it gives up.
    public static let defaultSteps = 100_000

    /// Reads a path.
    ///
    /// - Parameters:
    ///   - text: The path.
    ///   - maximumLength: The largest length in bytes.
    /// - Throws: ``OID4VPError/Code/invalidPath``, ``OID4VPError/Code/unsupportedPath`` for filters and scripts,
    ///   ``OID4VPError/Code/limitExceeded``.
    public init(_ text: String, maximumLength: Int = 1024) throws(OID4VPError) {
        guard text.utf8.count <= maximumLength else {
            throw OID4VPError(.limitExceeded, "a JSONPath has more than \(maximumLength) bytes")
        }
        description = text
        var parser = JSONPathParser(text)
        segments = try parser.parse()
    }

    /// The values that the path selects, in the order of RFC 9535; none for an empty place.
    ///
    /// - Parameters:
    ///   - root: The value that `$` stands for.
    ///   - steps: The number of values that may be looked at.
    /// - Throws: ``OID4VPError/Code/limitExceeded`` if the path selects its way through more.
    public func nodes(in root: JSONValue, steps: Int = JSONPathQuery.defaultSteps) throws(OID4VPError) -> [Node] {
        var budget = EvaluationBudget(steps)
        return try nodes(in: root, &budget)
    }

    /// The values that the path selects, within a budget that others share.
    func nodes(in root: JSONValue, _ budget: inout EvaluationBudget) throws(OID4VPError) -> [Node] {
        var evaluation = JSONPathEvaluation(budget)
        defer { budget = evaluation.budget }
        return try evaluation.nodes(segments, in: root)
    }
}
