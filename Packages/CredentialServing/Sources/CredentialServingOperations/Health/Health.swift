#if Server
import CredentialServing
public import Logging
import Synchronization

/// The health of a server: what its checks say, what has started, and whether it is about to stop.
///
/// A server is alive if it answers at all. It is ready if every part has started, every check passes, and it is not about
/// to stop. A check runs once at a time, whatever the number of callers. One that ignores its deadline is not started again
/// before it ends.
public final class Health: Sendable {
    private struct State {
        var awaited: [String] = []
        var isStopping = false
    }

    private let runners: [CheckRunner]
    private let logger: Logger
    private let state: Mutex<State>

    /// The health of a server.
    ///
    /// - Parameters:
    ///   - checks: The checks for readiness.
    ///   - parts: The names of the parts that must start first; ``markStarted(_:)`` says when one has.
    ///   - clock: The clock for deadlines.
    ///   - logger: The log for checks that do not pass.
    public init(
        checks: [HealthCheck] = [],
        awaiting parts: [String] = [],
        clock: any Clock<Duration> = ContinuousClock(),
        logger: Logger
    ) {
        runners = checks.map { CheckRunner($0, clock) }
        self.logger = logger
        state = Mutex(State(awaited: parts))
    }

    /// Says that a part has started.
    public func markStarted(_ part: String) {
        state.withLock { $0.awaited.removeAll { $0 == part } }
    }

    /// Turns readiness off for good, so that load balancers send no more requests.
    public func markStopping() {
        state.withLock { $0.isStopping = true }
    }

    /// Runs all checks at the same time, each for at most its deadline.
    public func report() async -> HealthReport {
        let outcomes = await withTaskGroup(of: (Int, HealthReport.Outcome, (any Error)?).self) { group in
            for (index, runner) in runners.enumerated() {
                group.addTask {
                    let (outcome, error) = await runner.outcome()
                    return (index, outcome, error)
                }
            }
            return await group.reduce(into: [Int: (HealthReport.Outcome, (any Error)?)]()) { $0[$1.0] = ($1.1, $1.2) }
        }
        var entries: [HealthReport.Entry] = []
        for (index, runner) in runners.enumerated() {
            let (outcome, error) = outcomes[index] ?? (.failed, nil)
            entries.append(.init(name: runner.check.name, outcome: outcome))
            guard outcome != .passed else { continue }
            let metadata: Logger.Metadata = ["check": "\(runner.check.name)", "status": "\(outcome.rawValue)"]
            logger.warning("health check did not pass", error: error, metadata: metadata)
        }
        let (awaited, isStopping) = state.withLock { ($0.awaited, $0.isStopping) }
        return HealthReport(entries: entries, awaitedParts: awaited, isStopping: isStopping)
    }
}

/// Runs one check at most once at a time.
private final class CheckRunner: Sendable {
    typealias Result = (outcome: HealthReport.Outcome, error: (any Error)?)

    let check: HealthCheck
    private let clock: any Clock<Duration>
    private let flight = Mutex<Flight?>(nil)

    private struct Flight {
        let task: Task<(any Error)?, Never>
        /// Indicates that the deadline has passed: later reports do not wait again.
        var isOverdue = false
    }

    init(_ check: HealthCheck, _ clock: any Clock<Duration>) {
        self.check = check
        self.clock = clock
    }

    /// The outcome of the check that is running, or of a new one.
    func outcome() async -> Result {
        guard let flight = currentFlight() else { return (.timedOut, nil) }
        let race = Race()
        Task {
            let error = await flight.value
            race.end(with: (error == nil ? .passed : .failed, error))
        }
        let sleeper = Task { [clock, check] in
            try await pause(for: check.deadline, on: clock)
            race.end(with: (.timedOut, nil))
        }
        let result = await race.result()
        sleeper.cancel()
        if result.outcome == .timedOut {
            // The check is asked to end. Until it has, no other is started, and no report waits for it.
            self.flight.withLock { if $0?.task == flight { $0?.isOverdue = true } }
            flight.cancel()
        }
        return result
    }

    /// The check that is running, or a new one; nil for one that is overdue.
    private func currentFlight() -> Task<(any Error)?, Never>? {
        flight.withLock { current in
            if let current { return current.isOverdue ? nil : current.task }
            let task = Task { [check, weak self] in
                var failure: (any Error)?
                do {
                    try await check.body()
                } catch {
                    failure = error
                }
                self?.flight.withLock { $0 = nil }
                return failure
            }
            current = Flight(task: task)
            return task
        }
    }

    /// The first of two ends.
    private final class Race: Sendable {
        private struct State {
            var result: Result?
            var continuation: CheckedContinuation<Result, Never>?
        }

        private let state = Mutex(State())

        func end(with result: Result) {
            let continuation = state.withLock { state -> CheckedContinuation<Result, Never>? in
                guard state.result == nil else { return nil }
                state.result = result
                return state.continuation
            }
            continuation?.resume(returning: result)
        }

        func result() async -> Result {
            await withCheckedContinuation { continuation in
                let result = state.withLock { state -> Result? in
                    if state.result == nil { state.continuation = continuation }
                    return state.result
                }
                if let result { continuation.resume(returning: result) }
            }
        }
    }
}
#endif
