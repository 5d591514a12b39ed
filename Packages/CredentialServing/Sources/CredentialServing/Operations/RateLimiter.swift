import Synchronization

/// A token bucket for each key, in bounded memory.
///
/// Each bucket holds ``RateLimit/burst`` tokens and gains one every ``RateLimit/interval``; a request takes one. A
/// bucket is stored as the one time at which it will be full again, so that full buckets take no memory.
///
/// With more keys than the bound, the fullest bucket of a few is forgotten: a client with many addresses can at most
/// lift the limits of others, never that of an address that it uses often.
public final class RateLimiter: Sendable {
    private struct State {
        /// The times at which the buckets are full, in nanoseconds.
        var fullTimes: [RateLimitKey: Int64] = [:]
        /// The keys in a ring, which the search for full buckets goes around.
        var ring: [RateLimitKey] = []
        var position = 0
    }

    private let interval: Int64
    private let capacity: Int64
    private let maximumCount: Int
    private let elapsed: @Sendable () -> Duration
    private let state = Mutex(State())

    /// The number of buckets that a search looks at before it forgets one.
    private static let searchLength = 16

    /// A limiter.
    ///
    /// - Parameters:
    ///   - limit: The rate for each key.
    ///   - maximumCount: The largest number of keys that are kept, at least 1: 100,000 by default, about 16 MB.
    ///   - clock: The clock for the buckets.
    public init<C: Clock<Duration>>(_ limit: RateLimit, maximumCount: Int = 100_000, clock: C) {
        interval = limit.interval.nanoseconds
        // A year at most.
        capacity = (limit.interval * limit.burst).nanoseconds
        self.maximumCount = max(1, maximumCount)
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
    }

    /// A limiter by the time since the machine started.
    public convenience init(_ limit: RateLimit, maximumCount: Int = 100_000) {
        self.init(limit, maximumCount: maximumCount, clock: ContinuousClock())
    }

    /// The number of keys that are kept.
    public var count: Int { state.withLock { $0.fullTimes.count } }

    /// Decides on a request, and takes its token if it is let through.
    public func take(_ key: RateLimitKey) -> RateLimitDecision {
        let now = elapsed().nanoseconds
        return state.withLock { state in
            let fullTime = max(now, state.fullTimes[key] ?? now)
            let next = fullTime + interval
            guard next - now <= capacity else {
                return .refused(retryAfter: .nanoseconds(next - now - capacity))
            }
            if state.fullTimes.updateValue(next, forKey: key) == nil { admit(key, now, &state) }
            return .allowed
        }
    }

    /// Gives a new key its place in the ring, and forgets full buckets on the way.
    private func admit(_ key: RateLimitKey, _ now: Int64, _ state: inout State) {
        state.ring.append(key)
        // Two steps for each new key: full buckets leave faster than new ones come.
        for _ in 0..<2 { dropIfFull(now, &state) }
        guard state.fullTimes.count > maximumCount else { return }
        var fullest: (position: Int, time: Int64)?
        for step in 0..<min(Self.searchLength, state.ring.count) {
            let position = (state.position + step) % state.ring.count
            guard state.ring[position] != key, let time = state.fullTimes[state.ring[position]] else { continue }
            if fullest.map({ time < $0.time }) ?? true { fullest = (position, time) }
        }
        state.position += Self.searchLength
        if let fullest { remove(at: fullest.position, &state) }
    }

    private func dropIfFull(_ now: Int64, _ state: inout State) {
        guard !state.ring.isEmpty else { return }
        state.position = (state.position + 1) % state.ring.count
        guard (state.fullTimes[state.ring[state.position]] ?? now) <= now else { return }
        remove(at: state.position, &state)
    }

    private func remove(at position: Int, _ state: inout State) {
        state.ring.swapAt(position, state.ring.count - 1)
        state.fullTimes[state.ring.removeLast()] = nil
    }
}

extension Duration {
    /// The duration in nanoseconds, within the range of a quarter of the integer.
    fileprivate var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let bound = Int64.max / 4 / 1_000_000_000
        return max(-bound, min(bound, seconds)) * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
