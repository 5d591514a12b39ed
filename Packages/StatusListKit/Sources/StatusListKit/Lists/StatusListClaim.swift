/// A list in a token: the structure `StatusList` (Token Status List, sections 4.2 and 4.3).
public struct StatusListClaim: Hashable, Sendable {
    /// The list.
    public var list: StatusList
    /// The address at which the same issuer enumerates its lists (`aggregation_uri`), or nil.
    public var aggregationURI: String?

    /// A list, and perhaps where others are enumerated.
    public init(_ list: StatusList, aggregationURI: String? = nil) {
        self.list = list
        self.aggregationURI = aggregationURI
    }
}
