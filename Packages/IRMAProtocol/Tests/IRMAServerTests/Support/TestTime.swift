import CredentialServing
import Foundation
import TestSupport

/// The time of a test: a date and a clock that stand still until the test moves them on.
final class TestTime: Sendable {
    let start: Date
    private let clock = ManualClock()

    init(_ start: Date) {
        self.start = start
    }

    var date: Date { start + Double(clock.now.offset.components.seconds) }

    var sessionClock: SessionClock { SessionClock(now: { self.date }, timer: clock) }

    /// Moves the time on, and wakes the tasks whose time has come.
    func advance(by duration: Duration) { clock.advance(by: duration) }

    /// Waits until a task sleeps for exactly this long from now.
    func waitForSleeper(_ duration: Duration) async { await clock.waitForSleeper(duration) }
}
