import CredentialServing
import CredentialTransport
import HTTPTypes
import Synchronization
import Testing

@Suite struct RateLimiterTests {
    private let first = RateLimitKey.requestor("first")
    private let second = RateLimitKey.requestor("second")

    @Test func letsABurstThroughAndRefillsOneByOne() throws {
        let clock = SteppedClock()
        let limiter = RateLimiter(try RateLimit(10, per: .seconds(1), burst: 3), clock: clock)
        for _ in 0..<3 { #expect(limiter.take(first) == .allowed) }
        #expect(limiter.take(first) == .refused(retryAfter: .milliseconds(100)))
        clock.advance(by: .milliseconds(99))
        #expect(limiter.take(first) == .refused(retryAfter: .milliseconds(1)))
        clock.advance(by: .milliseconds(1))
        #expect(limiter.take(first) == .allowed)
        #expect(limiter.take(first) == .refused(retryAfter: .milliseconds(100)))
        clock.advance(by: .seconds(60))
        for _ in 0..<3 { #expect(limiter.take(first) == .allowed) }
        #expect(limiter.take(first) != .allowed)
    }

    @Test func keysHaveBucketsOfTheirOwn() throws {
        let limiter = RateLimiter(try RateLimit(1, per: .seconds(1)), clock: SteppedClock())
        #expect(limiter.take(first) == .allowed)
        #expect(limiter.take(second) == .allowed)
        #expect(limiter.take(first) == .refused(retryAfter: .seconds(1)))
    }

    @Test func addressesCountByCustomer() throws {
        func key(_ text: String) throws -> RateLimitKey {
            let address: IPAddress = try #require(IPAddress(text))
            return .address(address)
        }
        #expect(try key("192.0.2.1") != key("192.0.2.2"))
        #expect(try key("192.0.2.1") == key("::ffff:192.0.2.1"))
        #expect(try key("2001:db8:1:2:3::4") == key("2001:db8:1:2:ffff::"))
        #expect(try key("2001:db8:1:2::") != key("2001:db8:1:3::"))
        #expect(try key("192.0.2.1") != .address(nil))
        #expect(RateLimitKey.address(nil) == .address(nil))
        let long = String(repeating: "x", count: 256)
        #expect(RateLimitKey.requestor(long) == .requestor(long + "y"))
        #expect(RateLimitKey.requestor(String(long.dropLast())) != .requestor(long))
        #expect(RateLimitKey.requestor("\0\u{7}") != .address(nil))
    }

    @Test func memoryIsBounded() throws {
        let limiter = RateLimiter(try RateLimit(1, per: .seconds(60)), maximumCount: 100, clock: SteppedClock())
        for index in 0..<10_000 { #expect(limiter.take(.requestor("\(index)")) == .allowed) }
        #expect(limiter.count == 100)
        let single = RateLimiter(try RateLimit(1, per: .seconds(60)), maximumCount: 0, clock: SteppedClock())
        for index in 0..<100 { _ = single.take(.requestor("\(index)")) }
        #expect(single.count == 1)
    }

    @Test func fullBucketsTakeNoMemory() throws {
        let clock = SteppedClock()
        let limiter = RateLimiter(try RateLimit(1, per: .seconds(1)), maximumCount: 100_000, clock: clock)
        for index in 0..<1000 { _ = limiter.take(.requestor("\(index)")) }
        #expect(limiter.count == 1000)
        clock.advance(by: .seconds(2))
        for index in 0..<1000 { _ = limiter.take(.requestor("new \(index)")) }
        #expect(limiter.count <= 1000 + 1)
        clock.advance(by: .seconds(2))
        for index in 0..<1000 { _ = limiter.take(.requestor("newer \(index)")) }
        #expect(limiter.count <= 1001)
    }

    /// A flood of new keys must not free a client that has used up its bucket.
    @Test func aFloodForgetsTheFullestBuckets() throws {
        let limiter = RateLimiter(
            try RateLimit(10, per: .seconds(600), burst: 10),
            maximumCount: 50,
            clock: SteppedClock()
        )
        for _ in 0..<10 { #expect(limiter.take(first) == .allowed) }
        for index in 0..<5000 { _ = limiter.take(.requestor("\(index)")) }
        #expect(limiter.take(first) != .allowed)
    }

    @Test(arguments: [
        (1, 1, 1, true), (0, 1, 1, false), (-1, 1, 1, false), (1, 1, 0, false), (1, 1, 1_000_001, false),
        (1_000_000, 1, 1, true), (1_000_001, 2, 1, false), (1, 86_400, 365, true), (1, 86_400, 366, false),
        (1, 86_401, 1, false), (1, 0, 1, false), (1, -1, 1, false),
    ])
    func bounds(count: Int, seconds: Int, burst: Int, isAllowed: Bool) throws {
        if isAllowed {
            let limiter = RateLimiter(try RateLimit(count, per: .seconds(seconds), burst: burst), clock: SteppedClock())
            #expect(limiter.take(first) == .allowed)
        } else {
            let error = #expect(throws: ServingError.self) {
                try RateLimit(count, per: .seconds(seconds), burst: burst)
            }
            #expect(error?.code == .invalidPolicy)
        }
    }

    @Test func countsFromManyTasks() async throws {
        let limiter = RateLimiter(try RateLimit(1, per: .seconds(60), burst: 100), clock: SteppedClock())
        let allowed = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask { (0..<50).count { _ in limiter.take(.requestor("x")) == .allowed } }
            }
            return await group.reduce(0, +)
        }
        #expect(allowed == 100)
    }
}

/// A clock that only a test advances.
final class SteppedClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let time = Mutex(Swift.Duration.zero)

    let minimumResolution = Duration.zero
    var now: Instant { Instant(offset: time.withLock { $0 }) }

    func advance(by duration: Duration) {
        time.withLock { $0 += duration }
    }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        throw CancellationError()
    }
}
