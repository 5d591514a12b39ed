import Synchronization

/// The outcome of work for one caller: the result or the caller's cancellation, whichever comes first.
///
/// The latter may even come before the caller waits.
final class PendingOutcome<Value: Sendable, Failure: Error>: Sendable {
    typealias Outcome = Result<Value, Failure>

    private enum State {
        case idle
        case waiting(CheckedContinuation<Outcome, Never>)
        case done(Outcome)
    }

    private let state = Mutex(State.idle)

    /// Waits for the outcome.
    ///
    /// - Parameters:
    ///   - cancellation: The error where the caller is cancelled first.
    ///   - start: Starts the work, when the caller waits.
    func value(orOnCancellation cancellation: Failure, start: () -> Void = {}) async -> Outcome {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                wait(continuation)
                start()
            }
        } onCancel: {
            complete(with: .failure(cancellation))
        }
    }

    /// Takes an outcome, unless there is one already.
    func complete(with outcome: Outcome) {
        let continuation: CheckedContinuation<Outcome, Never>? = state.withLock { state in
            switch state {
            case .idle:
                state = .done(outcome)
                return nil
            case .waiting(let continuation):
                state = .done(outcome)
                return continuation
            case .done:
                return nil
            }
        }
        continuation?.resume(returning: outcome)
    }

    /// Resumes a continuation with the outcome, now or later.
    private func wait(_ continuation: CheckedContinuation<Outcome, Never>) {
        let outcome: Outcome? = state.withLock { state in
            if case .done(let outcome) = state { return outcome }
            state = .waiting(continuation)
            return nil
        }
        if let outcome { continuation.resume(returning: outcome) }
    }
}
