/// The limits for finding a trust chain; each bound is the largest accepted.
///
/// No search is begun for a further signature of a request once those for the others have used up the number of requests or
/// the time of one.
public struct FederationLimits: Hashable, Sendable {
    /// The number of statements that are fetched for one entity.
    public var requests: Int
    /// The number of superiors of one entity that are followed.
    public var superiors: Int
    /// The number of statements of a chain, that of the trust anchor about itself not counted.
    public var chainLength: Int
    /// The size of a statement or key set in bytes.
    public var documentSize: Int
    /// The time for all requests of a search together.
    public var time: Duration

    /// Sets the limits; omitted ones have their defaults.
    public init(
        requests: Int = 32,
        superiors: Int = 8,
        chainLength: Int = 8,
        documentSize: Int = 256 << 10,
        time: Duration = .seconds(15)
    ) {
        self.requests = requests
        self.superiors = superiors
        self.chainLength = chainLength
        self.documentSize = documentSize
        self.time = time
    }
}
