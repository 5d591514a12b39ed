import Synchronization

/// A clock that stands still until a test advances it.
public final class ManualClock: Clock {
    /// A time since the start of the test.
    public struct Instant: InstantProtocol {
        /// The duration since the start.
        public var offset: Duration

        /// A time at an offset from the start.
        public init(offset: Duration) { self.offset = offset }

        /// The instant after a duration.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        /// The duration to another instant.
        public func duration(to other: Instant) -> Duration { other.offset - offset }
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
        var slept: [Duration] = []
        var observers: [(isReached: @Sendable ([Duration]) -> Bool, continuation: CheckedContinuation<Void, Never>)] =
            []

        mutating func takeObservers() -> [CheckedContinuation<Void, Never>] {
            let rests = sleepers.values.map { now.duration(to: $0.deadline) }
            let reached = observers.filter { $0.isReached(rests) }.map(\.continuation)
            observers.removeAll { $0.isReached(rests) }
            return reached
        }
    }

    /// No resolution: the test says what time it is.
    public let minimumResolution = Duration.zero
    private let state = Mutex(State())

    /// A clock at its start.
    public init() {}

    /// The time that the test has set.
    public var now: Instant { state.withLock { $0.now } }

    /// The durations that tasks have asked for.
    public var durations: [Duration] { state.withLock { $0.slept } }

    /// Advances the time, and wakes the tasks whose time has come.
    public func advance(by duration: Duration) {
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
        await wait { $0.count >= count }
    }

    /// Waits until one task, or so many, sleep for exactly this long from now.
    public func waitForSleeper(_ duration: Duration, count: Int = 1) async {
        await wait { rests in rests.count { $0 == duration } >= count }
    }

    /// Waits until the rests of all sleeping tasks are as wanted.
    private func wait(until isReached: @escaping @Sendable ([Duration]) -> Bool) async {
        await withCheckedContinuation { continuation in
            let reached = state.withLock { state in
                state.observers.append((isReached, continuation))
                return state.takeObservers()
            }
            for observer in reached { observer.resume() }
        }
    }

    /// Waits until a test has advanced the time to a deadline, or the task is cancelled.
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
