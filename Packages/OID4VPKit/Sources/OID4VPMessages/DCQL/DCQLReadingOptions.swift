/// Tolerances and limits for reading DCQL queries.
public struct DCQLReadingOptions: Sendable {
    /// The deviations from OpenID4VP 1.0 that are accepted, and reported.
    public var tolerances: Set<DCQLTolerance>
    /// The limits.
    public var limits: DCQLLimits
    /// Indicates that unknown members are refused; wallets ignore them.
    public var refusesUnknownMembers: Bool

    /// Sets the options; strict unless tolerances are named.
    public init(
        tolerances: Set<DCQLTolerance> = [],
        limits: DCQLLimits = .default,
        refusesUnknownMembers: Bool = false
    ) {
        self.tolerances = tolerances
        self.limits = limits
        self.refusesUnknownMembers = refusesUnknownMembers
    }

    /// Accepts OpenID4VP 1.0 alone.
    public static let strict = DCQLReadingOptions()
    /// For a verifier's own query, in which an unknown member is a misspelt one: without `credential_sets` every query must be answered.
    public static let authoring = DCQLReadingOptions(refusesUnknownMembers: true)
    /// Accepts the forms of drafts 22 to 28, too.
    public static let drafts = DCQLReadingOptions(tolerances: [.missingMeta, .namespaceAndClaimName])
}

/// A form of a DCQL query in older drafts.
public struct DCQLTolerance: Hashable, Sendable, CustomStringConvertible {
    /// The tolerance's name.
    public let description: String

    private init(_ description: String) {
        self.description = description
    }

    /// A credential query without `meta`, read as an empty one (drafts 22 to 28).
    public static let missingMeta = DCQLTolerance("missingMeta")
    /// A claim of an mdoc by `namespace` and `claim_name` instead of `path` (drafts 22 and 23).
    public static let namespaceAndClaimName = DCQLTolerance("namespaceAndClaimName")
}

/// Limits for DCQL queries from untrusted input; each bound is the largest accepted.
public struct DCQLLimits: Hashable, Sendable {
    /// The number of credential queries.
    public var queries: Int
    /// The number of claims in a query.
    public var claims: Int
    /// The number of steps in a claims path pointer.
    public var pathLength: Int
    /// The number of entries in each other list: values, claim sets, sets, options, authorities.
    public var entries: Int

    /// The default of each limit.
    public static let `default` = DCQLLimits()
    /// No limits, for a query in a store of one's own, which had its limits when it was read first.
    package static let stored = DCQLLimits(queries: .max, claims: .max, pathLength: .max, entries: .max)

    /// Sets the limits; omitted ones have their defaults.
    public init(queries: Int = 64, claims: Int = 256, pathLength: Int = 16, entries: Int = 256) {
        self.queries = queries
        self.claims = claims
        self.pathLength = pathLength
        self.entries = entries
    }
}
