public import CredentialTransport

/// The options of a ``StatusListClient`` for fetching and caching lists.
///
/// A token's `exp` and `ttl` take precedence over any HTTP caching, which decides for a token without `ttl`. Either is kept
/// within bounds, so that an issuer cannot make receivers fetch a token constantly or never again (Token Status List,
/// section 11.5). A list is never used past its `exp` and the clock skew of the policy.
public struct StatusListClientOptions: Sendable {
    /// The options for keeping lists.
    public var caching: DocumentCacheOptions
    /// The largest number of redirects; the rules for the first URL hold for every target too.
    public var redirects: Int
    /// The time for one request.
    public var timeout: Duration

    /// Options for general use: the cache's defaults, up to five redirects, which clients should follow (Token Status List,
    /// section 8.2), 10 seconds a request.
    public static let `default` = StatusListClientOptions()

    /// Options for the lists of mdocs: the general ones; ISO/IEC 18013-5 allows several redirects, too.
    public static let mdoc = StatusListClientOptions()

    /// Sets the options; omitted ones have their defaults.
    public init(
        caching: DocumentCacheOptions = .default,
        redirects: Int = 5,
        timeout: Duration = .seconds(10)
    ) {
        self.caching = caching
        self.redirects = redirects
        self.timeout = timeout
    }
}
