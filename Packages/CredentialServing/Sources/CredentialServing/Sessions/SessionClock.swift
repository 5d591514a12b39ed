#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The time of a store: the date that decides which sessions are alive, and the clock of its waits.
public struct SessionClock: Sendable {
    /// The current date.
    public let now: @Sendable () -> Date
    /// The clock for expiry, sweeps, polling and back-off.
    public let timer: any Clock<Duration>

    /// The system's time.
    public static let system = SessionClock(now: { Date() }, timer: ContinuousClock())

    /// A time.
    ///
    /// - Parameters:
    ///   - now: Returns the current date.
    ///   - timer: The clock for expiry, sweeps, polling and back-off.
    public init(now: @escaping @Sendable () -> Date, timer: any Clock<Duration>) {
        self.now = now
        self.timer = timer
    }

    /// The current date in milliseconds since 1970.
    public var milliseconds: Int64 { Self.milliseconds(now()) }

    /// A date in milliseconds since 1970, to the nearest one; between 1970 and 9999, and 0 for no date at all.
    public static func milliseconds(_ date: Date) -> Int64 {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        guard milliseconds > 0 else { return 0 }
        return milliseconds < 253_402_300_799_000 ? Int64(milliseconds) : 253_402_300_799_000
    }
}
