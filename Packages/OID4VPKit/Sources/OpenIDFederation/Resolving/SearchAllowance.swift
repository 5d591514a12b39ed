import Synchronization

/// The requests and the time that are left for the searches of one authentication.
///
/// Each search has its own limits, so that its outcome, which others share, does not depend on the searches before it; none
/// is begun once those have used up the limits of one.
package final class SearchAllowance: Sendable {
    private let limits: FederationLimits
    private let remainingTime: RemainingTime
    private let requests = Mutex(0)

    init(_ limits: FederationLimits, on clock: any Clock<Duration>) {
        self.limits = limits
        remainingTime = RemainingTime(limits.time, on: clock)
    }

    /// Counts a request that is going to be made.
    func countRequest() { requests.withLock { $0 += 1 } }

    /// Indicates that nothing more is begun.
    var isExhausted: Bool { requests.withLock { $0 } >= limits.requests || remainingTime.now <= .zero }

    /// The error for what would have to be fetched.
    var excess: FederationError {
        FederationError(.limitExceeded, "the searches take more than \(limits.requests) requests or \(limits.time)")
    }
}
