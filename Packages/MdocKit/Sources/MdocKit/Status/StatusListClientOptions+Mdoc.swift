public import StatusListKit

extension StatusListClientOptions {
    /// Options for the lists of mdocs: the general ones, with up to five redirects (ISO/IEC 18013-5 allows several).
    public static let mdoc = StatusListClientOptions(redirects: 5)

    /// The part that says what is kept.
    var cacheLimits: FetchCacheLimits {
        FetchCacheLimits(
            maximumCount: max(maximumLists, 1),
            maximumSize: maximumSize,
            minimumLifetime: minimumLifetime,
            maximumLifetime: maximumLifetime,
            retryInterval: retryInterval
        )
    }
}
