#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The options of a ``StatusListClient`` for fetching and caching lists.
///
/// A token's `exp` and `ttl` take precedence over any HTTP caching; `ttl` is kept within bounds, so that a token cannot
/// make receivers fetch it constantly or never again (Token Status List, section 11.5).
public struct StatusListClientOptions: Sendable {
    /// The largest number of lists that are kept; those not used for longest are dropped.
    public var maximumLists: Int
    /// The largest number of bytes that the kept lists and tokens take together.
    public var maximumSize: Int
    /// The shortest time for which a list is kept, in seconds, whatever its `ttl`; its `exp` still counts.
    public var minimumLifetime: TimeInterval
    /// The longest time for which a list is kept, in seconds, whatever its `ttl`.
    public var maximumLifetime: TimeInterval
    /// The time for which a list without `ttl` is kept, in seconds.
    public var defaultLifetime: TimeInterval
    /// For how many seconds a list that could not be had is not asked for again.
    public var retryInterval: TimeInterval
    /// Indicates whether a list past its `ttl`, but not past its `exp`, is used while no fresh one is available.
    public var usesStaleLists: Bool
    /// The largest number of redirects; the rules for the first URL hold for every target too.
    public var redirects: Int
    /// The time for one request.
    public var timeout: Duration

    /// Options for general use: 64 lists in 64 MiB, kept for a minute to a day, an hour without `ttl`; 5 seconds between
    /// failures, no stale lists, no redirects, 10 seconds a request.
    public static let `default` = StatusListClientOptions()

    /// Sets the options; what is not given has its default.
    public init(
        maximumLists: Int = 64,
        maximumSize: Int = 64 << 20,
        minimumLifetime: TimeInterval = 60,
        maximumLifetime: TimeInterval = 86400,
        defaultLifetime: TimeInterval = 3600,
        retryInterval: TimeInterval = 5,
        usesStaleLists: Bool = false,
        redirects: Int = 0,
        timeout: Duration = .seconds(10)
    ) {
        self.maximumLists = maximumLists
        self.maximumSize = maximumSize
        self.minimumLifetime = minimumLifetime
        self.maximumLifetime = maximumLifetime
        self.defaultLifetime = defaultLifetime
        self.retryInterval = retryInterval
        self.usesStaleLists = usesStaleLists
        self.redirects = redirects
        self.timeout = timeout
    }

    /// For how many seconds a list is kept.
    func lifetime(of list: VerifiedStatusList) -> TimeInterval {
        max(minimumLifetime, min(maximumLifetime, list.timeToLive ?? defaultLifetime))
    }
}
