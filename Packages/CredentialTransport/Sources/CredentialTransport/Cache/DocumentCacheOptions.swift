#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The options of a ``DocumentCache``: the number and size of its documents, their lifetimes, and the rate of requests.
///
/// All times are in seconds. A document's own lifetime is kept within bounds, so that a publisher cannot make receivers
/// fetch it constantly or never again (Token Status List, section 11.5).
public struct DocumentCacheOptions: Hashable, Sendable {
    /// The largest number of documents that are kept, and of failures that are remembered: 64 by default.
    ///
    /// The document that was not used for longest is dropped first.
    public var maximumCount: Int
    /// The largest number of bytes that the kept documents take together: 64 MiB by default.
    public var maximumSize: Int
    /// The shortest time for which a document is kept, whatever its own lifetime: 60 by default.
    public var minimumLifetime: TimeInterval
    /// The longest time for which a document is kept, whatever its own lifetime: 86400 by default.
    public var maximumLifetime: TimeInterval
    /// The time for which a document without a lifetime of its own is kept: 3600 by default.
    public var defaultLifetime: TimeInterval
    /// The time for which a document is not requested again after a failure: 5 by default.
    public var retryInterval: TimeInterval
    /// The shortest time between two requests for a kept document that lacks a needed part: 30 by default.
    ///
    /// It limits the requests that strangers can cause with identifiers of unknown keys.
    public var refetchInterval: TimeInterval
    /// The time for which a document past its lifetime is still used while no fresh one is available: 0, never, by
    /// default.
    public var stalePeriod: TimeInterval
    /// The largest difference between the times of two callers that share a request: 60 by default.
    ///
    /// A document is also used for times that are earlier than its request by at most this much.
    public var timeTolerance: TimeInterval
    /// The observer of fetches, refusals, and uses of kept documents; by default none.
    public var observer: TransportObserver?

    /// Options for general use, each property at its default.
    public static let `default` = DocumentCacheOptions()

    /// Sets the options; omitted ones have their defaults.
    public init(
        maximumCount: Int = 64,
        maximumSize: Int = 64 << 20,
        minimumLifetime: TimeInterval = 60,
        maximumLifetime: TimeInterval = 86400,
        defaultLifetime: TimeInterval = 3600,
        retryInterval: TimeInterval = 5,
        refetchInterval: TimeInterval = 30,
        stalePeriod: TimeInterval = 0,
        timeTolerance: TimeInterval = 60,
        observer: TransportObserver? = nil
    ) {
        self.maximumCount = maximumCount
        self.maximumSize = maximumSize
        self.minimumLifetime = minimumLifetime
        self.maximumLifetime = maximumLifetime
        self.defaultLifetime = defaultLifetime
        self.retryInterval = retryInterval
        self.refetchInterval = refetchInterval
        self.stalePeriod = stalePeriod
        self.timeTolerance = timeTolerance
        self.observer = observer
    }

    /// The time for which a document with a lifetime of its own is kept.
    ///
    /// - Parameter lifetime: The document's own lifetime, or nil for none.
    func lifetime(_ lifetime: TimeInterval?) -> TimeInterval {
        let wanted = lifetime.flatMap { $0.isNaN ? nil : $0 } ?? defaultLifetime
        return max(minimumLifetime, min(maximumLifetime, wanted))
    }
}
