public import CredentialServing
public import Foundation
import Synchronization

/// The time of stores under test: a date and a clock that stand still until a test advances them.
public final class SessionTestTime: Clock {
    /// A time since the start of the test.
    public struct Instant: InstantProtocol {
        /// The duration since the start.
        public var offset: Duration

        /// The instant after a duration.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        /// The duration to another instant.
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        /// Indicates whether an instant is before another.
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper {
        let deadline: Instant
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var date: Date
        var now = Instant(offset: .zero)
        var sleepers: [Int: Sleeper] = [:]
        var count = 0
        var slept: [Duration] = []
        var observers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

        mutating func takeObservers() -> [CheckedContinuation<Void, Never>] {
            let reached = observers.filter { $0.count <= sleepers.count }.map(\.continuation)
            observers.removeAll { $0.count <= sleepers.count }
            return reached
        }
    }

    /// No resolution: the test says what time it is.
    public let minimumResolution = Duration.zero
    private let state: Mutex<State>

    /// A time that starts at a date.
    public init(_ date: Date = Date(timeIntervalSince1970: 1_800_000_000)) {
        state = Mutex(State(date: date))
    }

    /// The time of the clock.
    public var now: Instant { state.withLock { $0.now } }

    /// The date.
    public var date: Date { state.withLock { $0.date } }

    /// The durations that tasks have slept for, in the order of the calls.
    public var durations: [Duration] { state.withLock { $0.slept } }

    /// The time as stores take it.
    public var clock: SessionClock {
        SessionClock(now: { self.date }, timer: self)
    }

    /// Advances date and clock, and wakes the tasks whose time has come.
    public func advance(by duration: Duration) {
        advance(by: duration, withDate: true)
    }

    /// Advances the clock alone, so that periodic work is done and nothing expires.
    public func tick(_ duration: Duration = .milliseconds(250)) {
        advance(by: duration, withDate: false)
    }

    private func advance(by duration: Duration, withDate: Bool) {
        let woken = state.withLock { state in
            if withDate { state.date += duration / .seconds(1) }
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for key in due.keys { state.sleepers[key] = nil }
            return due.values.sorted { $0.deadline < $1.deadline }
        }
        for sleeper in woken { sleeper.continuation.resume(returning: true) }
    }

    /// Waits until a number of tasks sleep.
    public func waitForSleepers(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let reached = state.withLock { state in
                state.observers.append((count, continuation))
                return state.takeObservers()
            }
            for observer in reached { observer.resume() }
        }
    }

    /// Sleeps until a test advances the clock to a deadline.
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let key = state.withLock { state in
            state.count += 1
            state.slept.append(state.now.duration(to: deadline))
            return state.count
        }
        let isDue = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (outcome, observers) = state.withLock { state -> (Bool?, [CheckedContinuation<Void, Never>]) in
                    if Task.isCancelled { return (false, []) }
                    if deadline <= state.now { return (true, []) }
                    state.sleepers[key] = Sleeper(deadline: deadline, continuation: continuation)
                    return (nil, state.takeObservers())
                }
                for observer in observers { observer.resume() }
                if let outcome { continuation.resume(returning: outcome) }
            }
        } onCancel: {
            let sleeper = state.withLock { $0.sleepers.removeValue(forKey: key) }
            sleeper?.continuation.resume(returning: false)
        }
        if !isDue { throw CancellationError() }
    }
}
