#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The time of a store: the date that decides which sessions are alive, and the clock of its waits.
public struct SessionClock: Sendable {
    /// The current date.
    public let now: @Sendable () -> Date
    /// The clock for expiry, sweeps, polling and back-off.
    public let timer: any Clock<Duration>

    private let readMilliseconds: @Sendable () -> Int64

    /// The system's time.
    public static let system = SessionClock(
        now: { Date() },
        timer: ContinuousClock(),
        readMilliseconds: {
            // A date of Foundation takes longer than the rest of a read in memory.
            var time = timespec()
            clock_gettime(CLOCK_REALTIME, &time)
            return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
        }
    )

    /// A time.
    ///
    /// - Parameters:
    ///   - now: Returns the current date.
    ///   - timer: The clock for expiry, sweeps, polling and back-off.
    public init(now: @escaping @Sendable () -> Date, timer: any Clock<Duration>) {
        self.init(now: now, timer: timer, readMilliseconds: { Self.milliseconds(now()) })
    }

    private init(
        now: @escaping @Sendable () -> Date,
        timer: any Clock<Duration>,
        readMilliseconds: @escaping @Sendable () -> Int64
    ) {
        self.now = now
        self.timer = timer
        self.readMilliseconds = readMilliseconds
    }

    /// The current date in milliseconds since 1970.
    public var milliseconds: Int64 { readMilliseconds() }

    /// A date in milliseconds since 1970, to the nearest one; between 1970 and 9999, and 0 for a date that is not a number.
    public static func milliseconds(_ date: Date) -> Int64 {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        guard milliseconds > 0 else { return 0 }
        return milliseconds < 253_402_300_799_000 ? Int64(milliseconds) : 253_402_300_799_000
    }
}
