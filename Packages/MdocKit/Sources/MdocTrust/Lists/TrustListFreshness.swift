import MdocKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The freshness of a trust list: whether a newer issue is available.
public enum TrustListFreshness: Hashable, Sendable {
    /// The list does not say when the next one comes.
    case unknown
    /// The next one is expected at this time, in the future.
    case current(until: Date)
    /// The next one was expected at this time: fetch it. The list may be used until then if its `notAfter` allows it.
    case updateDue(since: Date)

    init(nextUpdate: Date?, at time: Date) {
        switch nextUpdate {
        case nil: self = .unknown
        case let date? where date < time: self = .updateDue(since: date)
        case let date?: self = .current(until: date)
        }
    }
}
