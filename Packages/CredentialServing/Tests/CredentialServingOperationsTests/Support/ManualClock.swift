#if Server
import Synchronization

/// A clock that a test advances.
final class ManualClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper {
        let deadline: Instant
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
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

    let minimumResolution = Duration.zero
    private let state = Mutex(State())

    var now: Instant { state.withLock { $0.now } }

    /// The durations that tasks have asked for.
    var durations: [Duration] { state.withLock { $0.slept } }

    /// Advances the time, and wakes the tasks whose time has come.
    func advance(by duration: Duration) {
        let woken = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for key in due.keys { state.sleepers[key] = nil }
            return due.values.sorted { $0.deadline < $1.deadline }
        }
        for sleeper in woken { sleeper.continuation.resume(returning: true) }
    }

    /// Waits until a number of tasks sleep.
    func waitForSleepers(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let reached = state.withLock { state in
                state.observers.append((count, continuation))
                return state.takeObservers()
            }
            for observer in reached { observer.resume() }
        }
    }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
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
#endif
