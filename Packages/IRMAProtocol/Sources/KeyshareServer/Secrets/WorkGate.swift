import Synchronization

/// Lets a few pieces of heavy work run at a time, and a bounded number wait in their order.
final class WorkGate: Sendable {
    private struct State {
        var running = 0
        var lastTicket = 0
        var waiting: [(ticket: Int, continuation: CheckedContinuation<Bool, Never>)] = []
        /// Tickets that were drawn, and neither wait yet nor were cancelled.
        var drawn: Set<Int> = []
    }

    private let maximumRunning: Int
    private let maximumWaiting: Int
    private let state = Mutex(State())

    init(maximumRunning: Int, maximumWaiting: Int) {
        self.maximumRunning = max(1, maximumRunning)
        self.maximumWaiting = max(0, maximumWaiting)
    }

    /// The number of pieces that wait.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Runs a piece of work when its turn comes.
    ///
    /// - Throws: ``KeyshareServerError/Code-swift.struct/overloaded`` where too many wait already,
    ///   ``KeyshareServerError/Code-swift.struct/cancelled``.
    func run<Value: Sendable>(_ work: () -> Value) async throws(KeyshareServerError) -> Value {
        try await acquire()
        defer { release() }
        return work()
    }

    /// Takes a place, if need be after waiting for it.
    func acquire() async throws(KeyshareServerError) {
        if let ticket = try enter() { try await wait(ticket) }
    }

    /// Takes a place at once, or draws a ticket to wait with.
    private func enter() throws(KeyshareServerError) -> Int? {
        try state.withLock { state throws(KeyshareServerError) in
            guard state.running >= maximumRunning else {
                state.running += 1
                return nil
            }
            guard state.waiting.count < maximumWaiting else {
                throw KeyshareServerError(.overloaded, "\(maximumWaiting) PINs wait already")
            }
            state.lastTicket += 1
            state.drawn.insert(state.lastTicket)
            return state.lastTicket
        }
    }

    private func wait(_ ticket: Int) async throws(KeyshareServerError) {
        let hasPlace = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let outcome = state.withLock { state -> Bool? in
                    guard state.drawn.remove(ticket) != nil else { return false }
                    // A place may have become free since the ticket was drawn.
                    guard state.running >= maximumRunning else {
                        state.running += 1
                        return true
                    }
                    state.waiting.append((ticket, continuation))
                    return nil
                }
                if let outcome { continuation.resume(returning: outcome) }
            }
        } onCancel: {
            cancel(ticket)
        }
        guard hasPlace else { throw KeyshareServerError(.cancelled, "the task was cancelled") }
    }

    private func cancel(_ ticket: Int) {
        let waiter = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard let position = state.waiting.firstIndex(where: { $0.ticket == ticket }) else {
                state.drawn.remove(ticket)
                return nil
            }
            return state.waiting.remove(at: position).continuation
        }
        waiter?.resume(returning: false)
    }

    /// Hands the place to the first that waits.
    func release() {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard !state.waiting.isEmpty else {
                state.running -= 1
                return nil
            }
            return state.waiting.removeFirst().continuation
        }
        next?.resume(returning: true)
    }
}
