import Synchronization

/// The work on wallets' responses, each in a task of its own.
///
/// The work goes on when the connection of the wallet drops, or its request takes too long: a response that was taken is
/// verified, and its result told.
final class ResponseWork: Sendable {
    private struct State {
        var count = 0
        /// The transaction of each response that is worked on.
        var running: [Int: String] = [:]
        var waiters: [Waiter] = []
    }

    private struct Waiter {
        /// The responses that are waited for.
        var pending: Set<Int>
        let continuation: AsyncStream<Void>.Continuation
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
        let number = state.withLock { state in
            state.count += 1
            state.running[state.count] = id
            return state.count
        }
        Task {
            outcome.yield(await Result(awaiting: work))
            outcome.finish()
            self.end { running in running[number] == nil ? [] : [number] }
        }
        guard let outcome = await outcomes.first(where: { _ in true }) else {
            throw TransactionError(.unavailable, "the call ended before the verification, which goes on")
        }
        return try outcome.get()
    }

    /// Notes that a transaction has ended: nobody has to wait any longer for what its verification still does.
    func noteEnd(of id: String) {
        end { running in running.filter { $0.value == id }.map(\.key) }
    }

    /// Waits until no transaction depends on the work that there is now, at the latest until the caller's task is cancelled.
    func finish() async {
        let (end, continuation) = AsyncStream<Void>.makeStream()
        let isOver = state.withLock { state in
            guard !state.running.isEmpty else { return true }
            state.waiters.append(Waiter(pending: Set(state.running.keys), continuation: continuation))
            return false
        }
        guard !isOver else { return }
        for await _ in end {}
    }

    private func end(_ ended: ([Int: String]) -> [Int]) {
        let done = state.withLock { state in
            for number in ended(state.running) {
                state.running.removeValue(forKey: number)
                for place in state.waiters.indices { state.waiters[place].pending.remove(number) }
            }
            let done = state.waiters.filter(\.pending.isEmpty)
            state.waiters.removeAll(where: \.pending.isEmpty)
            return done
        }
        for waiter in done { waiter.continuation.finish() }
    }
}
