import MdocKit
import MdocProximity
import Synchronization

/// Tells once that a session ended, but not while a response of it is being handed over.
final class TerminationNotice: Sendable {
    private struct State {
        var requests = 0
        var termination: SessionTermination?
        var isTold = false

        /// The termination, if it is due now.
        mutating func due() -> SessionTermination? {
            guard requests == 0, !isTold, let termination else { return nil }
            isTold = true
            return termination
        }
    }

    private let state = Mutex(State())
    private let tell: @Sendable (SessionTermination) -> Void

    init(_ tell: @escaping @Sendable (SessionTermination) -> Void) {
        self.tell = tell
    }

    /// A request begins, whose response comes before the notice.
    func enter() {
        state.withLock { $0.requests += 1 }
    }

    /// A request is over.
    ///
    /// - Returns: The closure to call after the response was returned.
    func leave() -> (@Sendable () -> Void)? {
        let termination = state.withLock { state in
            state.requests -= 1
            return state.due()
        }
        guard let termination else { return nil }
        return { [tell] in tell(termination) }
    }

    /// The session ended.
    func ended(_ termination: SessionTermination) {
        let due = state.withLock { state in
            state.termination = termination
            return state.due()
        }
        if let due { tell(due) }
    }
}
