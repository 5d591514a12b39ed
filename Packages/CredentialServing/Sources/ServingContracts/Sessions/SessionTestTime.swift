public import CredentialServing
public import Foundation
import Synchronization
public import TestSupport

/// The time of stores under test: a date and a clock that stand still until a test advances them.
public final class SessionTestTime: Sendable {
    private let current: Mutex<Date>
    private let timer = ManualClock()

    /// A time that starts at a date.
    public init(_ date: Date = Date(timeIntervalSince1970: 1_800_000_000)) {
        current = Mutex(date)
    }

    /// The time of the clock.
    public var now: ManualClock.Instant { timer.now }

    /// The date.
    public var date: Date { current.withLock { $0 } }

    /// The durations that tasks have slept for, in the order of the calls.
    public var durations: [Duration] { timer.durations }

    /// The time as stores take it.
    public var clock: SessionClock {
        SessionClock(now: { self.date }, timer: timer)
    }

    /// Advances date and clock, and wakes the tasks whose time has come.
    public func advance(by duration: Duration) {
        current.withLock { $0 += duration / .seconds(1) }
        timer.advance(by: duration)
    }

    /// Advances the clock alone, so that periodic work is done and nothing expires.
    public func tick(_ duration: Duration = .milliseconds(250)) {
        timer.advance(by: duration)
    }

    /// Waits until a number of tasks sleep.
    public func waitForSleepers(_ count: Int) async {
        await timer.waitForSleepers(count)
    }
}
