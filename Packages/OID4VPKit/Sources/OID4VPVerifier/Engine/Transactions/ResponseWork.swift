import Synchronization

/// The work on wallets' responses, each in a task of its own.
///
/// The work goes on when the connection of the wallet drops, or its request takes too long: a response that was taken is
/// verified, and its result told.
final class ResponseWork: Sendable {
    private struct State {
        /// The number of responses that are worked on, by the transaction that they may end.
        var running: [String: Int] = [:]
        var waiters: [AsyncStream<Void>.Continuation] = []
    }

    private let state = Mutex(State())

    /// Does the work on a response, at the latest until the caller's task is cancelled; the work goes on then.
    ///
    /// - Parameters:
    ///   - id: The requestor's name for the transaction.
    ///   - work: The work.
    /// - Throws: What the work throws; ``TransactionError/Code-swift.struct/unavailable`` if the task is cancelled.
    func outcome<Value: Sendable>(
        for id: String,
        of work: @escaping @Sendable () async throws(TransactionError) -> Value
    ) async throws(TransactionError) -> Value {
        let (outcomes, outcome) = AsyncStream.makeStream(of: Result<Value, TransactionError>.self)
        state.withLock { $0.running[id, default: 0] += 1 }
        Task {
            outcome.yield(await Result(awaiting: work))
            outcome.finish()
            self.change { running in
                guard let count = running[id] else { return }
                running[id] = count > 1 ? count - 1 : nil
            }
        }
        guard let outcome = await outcomes.first(where: { _ in true }) else {
            throw TransactionError(.unavailable, "the call ended before the verification, which goes on")
        }
        return try outcome.get()
    }

    /// Notes that a transaction has ended: nobody has to wait any longer for what its verification still does.
    func noteEnd(of id: String) {
        change { $0.removeValue(forKey: id) }
    }

    /// Waits until no transaction depends on work, at the latest until the caller's task is cancelled.
    func finish() async {
        let (end, waiter) = AsyncStream<Void>.makeStream()
        let isOver = state.withLock { state in
            guard !state.running.isEmpty else { return true }
            state.waiters.append(waiter)
            return false
        }
        guard !isOver else { return }
        for await _ in end {}
    }

    private func change(_ body: (inout [String: Int]) -> Void) {
        let waiters = state.withLock { state in
            body(&state.running)
            guard state.running.isEmpty else { return [AsyncStream<Void>.Continuation]() }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.finish() }
    }
}
