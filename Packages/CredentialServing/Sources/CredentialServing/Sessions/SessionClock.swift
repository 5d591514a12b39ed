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

    private let isSystem: Bool

    /// The system's time; the milliseconds may be those of its last timer interrupt, 1 to 10 ms ago.
    public static let system = SessionClock(now: { Date() }, timer: ContinuousClock(), isSystem: true)

    /// A time.
    ///
    /// - Parameters:
    ///   - now: Returns the current date.
    ///   - timer: The clock for expiry, sweeps, polling and back-off.
    public init(now: @escaping @Sendable () -> Date, timer: any Clock<Duration>) {
        self.init(now: now, timer: timer, isSystem: false)
    }

    private init(now: @escaping @Sendable () -> Date, timer: any Clock<Duration>, isSystem: Bool) {
        self.now = now
        self.timer = timer
        self.isSystem = isSystem
    }

    /// The current date in milliseconds since 1970.
    public var milliseconds: Int64 { isSystem ? Self.systemMilliseconds : Self.milliseconds(now()) }

    /// The system's time without a date of Foundation, which takes longer than the rest of a read in memory.
    private static var systemMilliseconds: Int64 {
        var time = timespec()
        #if os(Linux)
        clock_gettime(CLOCK_REALTIME_COARSE, &time)
        #else
        clock_gettime(CLOCK_REALTIME, &time)
        #endif
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// A date in milliseconds since 1970, to the nearest one; between 1970 and 9999, and 0 for a date that is not a number.
    public static func milliseconds(_ date: Date) -> Int64 {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        guard milliseconds > 0 else { return 0 }
        return milliseconds < 253_402_300_799_000 ? Int64(milliseconds) : 253_402_300_799_000
    }
}
