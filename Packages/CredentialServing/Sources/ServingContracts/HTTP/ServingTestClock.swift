import Synchronization

/// A clock that stands still until a test advances it.
public final class ServingTestClock: Clock {
    /// A time since the start of the test.
    public struct Instant: InstantProtocol {
        /// The duration since the start.
        public var offset: Swift.Duration

        /// The instant after a duration.
        public func advanced(by duration: Swift.Duration) -> Instant { Instant(offset: offset + duration) }
        /// The duration to another instant.
        public func duration(to other: Instant) -> Swift.Duration { other.offset - offset }
        /// Compares instants by their offsets.
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper {
        let deadline: Instant
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var now = Instant(offset: .zero)
        var sleepers: [Int: Sleeper] = [:]
        var count = 0
        var observers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

        mutating func takeObservers() -> [CheckedContinuation<Void, Never>] {
            let reached = observers.filter { $0.count <= sleepers.count }.map(\.continuation)
            observers.removeAll { $0.count <= sleepers.count }
            return reached
        }
    }

    /// No resolution is too fine.
    public var minimumResolution: Swift.Duration { .zero }
    private let state = Mutex(State())

    /// A clock.
    public init() {}

    /// The time that the test has set.
    public var now: Instant { state.withLock { $0.now } }

    /// Advances the time, and wakes the tasks whose time has come.
    public func advance(by duration: Swift.Duration) {
        let woken = state.withLock { state in
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

    /// Waits until a test has advanced the time to an instant, or the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Swift.Duration?) async throws {
        let key = state.withLock { state in
            state.count += 1
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
