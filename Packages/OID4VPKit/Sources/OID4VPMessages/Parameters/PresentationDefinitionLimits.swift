/// Limits for presentation definitions from untrusted input; each bound is the largest accepted.
public struct PresentationDefinitionLimits: Hashable, Sendable {
    /// The number of descriptors.
    public var descriptors: Int
    /// The number of fields of a descriptor.
    public var fields: Int
    /// The number of entries in each other list: paths, groups, formats, algorithms, requirements.
    public var entries: Int
    /// The depth of nested submission requirements.
    ///
    /// Never more than ``maximumRequirementDepth``.
    public var requirementDepth: Int
    /// The limits for filters.
    public var filters: JSONSchemaLimits
    /// The number of steps of an evaluation over a store, of all paths and filters together.
    ///
    /// Each descriptor has an equal share of them for each credential, or ``leastShare`` if that is more. A credential that
    /// takes more does not answer the descriptor.
    public var steps: Int

    /// The default of each limit.
    public static let `default` = PresentationDefinitionLimits()
    /// No limits but those for filters and steps, for a definition in a store of one's own, which had its limits when it was
    /// read first.
    package static let stored = PresentationDefinitionLimits(
        descriptors: .max,
        fields: .max,
        entries: .max,
        requirementDepth: maximumRequirementDepth
    )
    /// The depth of requirements that no definition may exceed, whatever ``requirementDepth`` says.
    public static let maximumRequirementDepth = 16
    /// The steps that one descriptor has for one credential of a large store, unless ``steps`` is less.
    public static let leastShare = 20_000

    /// Sets the limits; omitted ones have their defaults.
    public init(
        descriptors: Int = 64,
        fields: Int = 64,
        entries: Int = 64,
        requirementDepth: Int = 8,
        filters: JSONSchemaLimits = .default,
        steps: Int = 10_000_000
    ) {
        self.descriptors = descriptors
        self.fields = fields
        self.entries = entries
        self.requirementDepth = requirementDepth
        self.filters = filters
        self.steps = steps
    }
}
