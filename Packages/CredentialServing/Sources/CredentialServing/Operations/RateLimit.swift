public import CredentialTransport

/// A rate at which requests are let through, and how many may come at once.
public struct RateLimit: Hashable, Sendable {
    /// The time after which one more request is let through.
    public let interval: Duration
    /// The largest number of requests at once, after a time without any.
    public let burst: Int

    /// A rate.
    ///
    /// - Parameters:
    ///   - count: The number of requests for each period, at least 1.
    ///   - period: The period, at least one microsecond for each request and at most a day.
    ///   - burst: The largest number of requests at once, from 1 to 1,000,000; `count` if nil.
    /// - Throws: ``ServingError/Code/invalidPolicy`` for numbers outside these bounds, and for a burst that takes over
    ///   a year to refill.
    public init(_ count: Int, per period: Duration, burst: Int? = nil) throws(ServingError) {
        let burst = burst ?? count
        guard (1...1_000_000).contains(count), (1...1_000_000).contains(burst) else {
            throw ServingError(.invalidPolicy, "the number of requests is not from 1 to 1000000", path: ["rate"])
        }
        guard period <= .seconds(86_400), period / count >= .microseconds(1) else {
            throw ServingError(.invalidPolicy, "the period is over a day, or too short", path: ["rate"])
        }
        guard period / count * burst <= .seconds(365 * 86_400) else {
            throw ServingError(.invalidPolicy, "the burst takes over a year to come back", path: ["rate"])
        }
        interval = period / count
        self.burst = burst
    }
}

/// The party that a limit counts requests of.
public struct RateLimitKey: Hashable, Sendable {
    private let bytes: [UInt8]

    /// A client by its address; of version 6, by the first 64 bits, which are one customer's.
    ///
    /// Clients without an address share one key.
    public static func address(_ address: IPAddress?) -> RateLimitKey {
        switch address?.withoutMapping {
        case nil: RateLimitKey(bytes: [0])
        case .v4(let bits)?: RateLimitKey(kind: 4, UInt64(bits))
        case .v6(let bits)?: RateLimitKey(kind: 6, UInt64(truncatingIfNeeded: bits >> 64))
        }
    }

    /// A requestor by its authenticated name; of a longer one, the first 256 bytes count.
    public static func requestor(_ name: String) -> RateLimitKey {
        RateLimitKey(bytes: [1] + name.utf8.prefix(256))
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private init(kind: UInt8, _ bits: UInt64) {
        bytes = [kind] + (0..<8).map { UInt8(truncatingIfNeeded: bits >> UInt64(56 - 8 * $0)) }
    }
}

/// The decision on one request.
public enum RateLimitDecision: Hashable, Sendable {
    /// The request is let through.
    case allowed
    /// The request is refused until some time has passed.
    case refused(retryAfter: Duration)
}
