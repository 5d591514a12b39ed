import CredentialServing
import Foundation
import Synchronization

/// The time of a test: a date and a clock that stand still until the test moves them on.
final class TestTime: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration = .zero

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct State {
        var now = Instant()
        var count = 0
        var sleepers: [Int: (deadline: Instant, continuation: CheckedContinuation<Bool, Never>)] = [:]
        var watchers: [(deadline: Duration, continuation: CheckedContinuation<Void, Never>)] = []

        /// The watchers whose sleeper has come.
        mutating func takeWatchers() -> [CheckedContinuation<Void, Never>] {
            let rests = Set(sleepers.values.map { now.duration(to: $0.deadline) })
            let due = watchers.filter { rests.contains($0.deadline) }.map(\.continuation)
            watchers.removeAll { rests.contains($0.deadline) }
            return due
        }
    }

    let start: Date
    let minimumResolution = Duration.zero
    private let state = Mutex(State())

    init(_ start: Date) {
        self.start = start
    }

    var now: Instant { state.withLock { $0.now } }

    var date: Date { start + Double(now.offset.components.seconds) }

    var sessionClock: SessionClock { SessionClock(now: { self.date }, timer: self) }

    /// Moves the time on, and wakes the tasks whose time has come.
    func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for key in due.keys { state.sleepers[key] = nil }
            return due.values.sorted { $0.deadline < $1.deadline }
        }
        for sleeper in due { sleeper.continuation.resume(returning: true) }
    }

    /// Waits until a task sleeps for exactly this long from now.
    func waitForSleeper(_ duration: Duration) async {
        await withCheckedContinuation { continuation in
            let due = state.withLock { state in
                state.watchers.append((duration, continuation))
                return state.takeWatchers()
            }
            for watcher in due { watcher.resume() }
        }
    }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let key = state.withLock { state in
            state.count += 1
            return state.count
        }
        let isDue = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (outcome, watchers) = state.withLock { state -> (Bool?, [CheckedContinuation<Void, Never>]) in
                    if Task.isCancelled { return (false, []) }
                    if deadline <= state.now { return (true, []) }
                    state.sleepers[key] = (deadline, continuation)
                    return (nil, state.takeWatchers())
                }
                for watcher in watchers { watcher.resume() }
                if let outcome { continuation.resume(returning: outcome) }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: key) }?.continuation.resume(returning: false)
        }
        if !isDue { throw CancellationError() }
    }
}
