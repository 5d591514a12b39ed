public import JSONKit

/// A filter of a presentation definition: a JSON Schema of draft 7, compiled once.
///
/// Known are `type`, `const`, `enum`, `pattern`, lengths, bounds, `multipleOf`, `formatMinimum` and `formatMaximum`
/// (compared as text), the combinations `not`, `allOf`, `anyOf`, `oneOf`, `if`/`then`/`else`, the keywords for arrays and
/// objects but for `dependencies`, and references inside the filter. `format` is an annotation. Other keywords are ignored,
/// as JSON Schema demands. Patterns are searched in linear time, and an evaluation has a bound on its steps.
///
/// ```swift
/// let filter = try JSONSchema(["type": "string", "pattern": "@example\\.org$"])
/// try filter.accepts("ada@example.org")   // true
/// ```
public struct JSONSchema: Sendable {
    /// The schema as written.
    public let json: JSONValue

    let nodes: [SchemaNode]
    private let limits: JSONSchemaLimits

    /// Compiles a schema.
    ///
    /// - Throws: ``OID4VPError/Code/invalidSchema``, ``OID4VPError/Code/unsupportedSchema`` for `dependencies` and for a
    ///   reference that leads outside, ``OID4VPError/Code/limitExceeded``, and the codes of patterns.
    public init(_ json: JSONValue, limits: JSONSchemaLimits = .default) throws(OID4VPError) {
        try self.init(json, limits: limits, PatternSpace(limits.instructions))
    }

    /// Compiles one of several schemas, whose patterns share a space.
    init(_ json: JSONValue, limits: JSONSchemaLimits, _ patterns: PatternSpace) throws(OID4VPError) {
        self.json = json
        self.limits = limits
        var compiler = SchemaCompiler(json, limits: limits, patterns)
        nodes = try compiler.compile()
    }

    /// Returns `true` for a value that the schema accepts.
    ///
    /// - Throws: ``OID4VPError/Code/limitExceeded`` if that takes too many steps, or a text that a pattern is searched
    ///   for is too long.
    public func accepts(_ value: JSONValue) throws(OID4VPError) -> Bool {
        var budget = EvaluationBudget(limits.steps)
        return try accepts(value, &budget)
    }

    /// Indicates that the schema accepts texts alone, by its own `type`.
    var isForText: Bool {
        nodes.first?.assertions.contains { if case .types([.string]) = $0 { true } else { false } } == true
    }

    /// Returns `true` for a value that the schema accepts, within a budget that others share.
    func accepts(_ value: JSONValue, _ budget: inout EvaluationBudget) throws(OID4VPError) -> Bool {
        var evaluation = SchemaEvaluation(nodes, limits: limits, budget)
        defer { budget = evaluation.budget }
        return try evaluation.accepts(value)
    }
}

/// Limits for filters from untrusted input; each bound is the largest accepted.
public struct JSONSchemaLimits: Hashable, Sendable {
    /// The number of schemas in a filter, those inside others included.
    public var schemas: Int
    /// The number of steps of an evaluation by itself: a value against a schema, or one comparison of two elements.
    public var steps: Int
    /// The length in bytes of a text that a pattern is searched in.
    public var textLength: Int
    /// The limits for patterns.
    public var patterns: PatternLimits
    /// The number of instructions of all patterns together: of a filter, or of a definition with all its filters.
    public var instructions: Int

    /// The default of each limit.
    public static let `default` = JSONSchemaLimits()

    /// Sets the limits; omitted ones have their defaults.
    public init(
        schemas: Int = 1000,
        steps: Int = 100_000,
        textLength: Int = 4096,
        patterns: PatternLimits = .default,
        instructions: Int = 65_536
    ) {
        self.schemas = schemas
        self.steps = steps
        self.textLength = textLength
        self.patterns = patterns
        self.instructions = instructions
    }
}
