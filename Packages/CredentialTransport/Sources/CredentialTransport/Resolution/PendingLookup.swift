import Synchronization

/// The outcome of a lookup: whatever comes first, the answer or the caller's cancellation, which may even come before the
/// caller waits.
final class PendingLookup: Sendable {
    typealias Outcome = Result<[IPAddress], TransportError>

    private enum State {
        case idle
        case waiting(CheckedContinuation<Outcome, Never>)
        case done(Outcome)
    }

    private let state = Mutex(State.idle)

    /// Resumes a continuation with the outcome, now or later.
    func start(_ continuation: CheckedContinuation<Outcome, Never>) {
        let outcome: Outcome? = state.withLock { state in
            if case .done(let outcome) = state { return outcome }
            state = .waiting(continuation)
            return nil
        }
        if let outcome { continuation.resume(returning: outcome) }
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
}
