import IRMAMessages
import Synchronization

/// The turns of sessions at keyshare servers.
///
/// A server keeps one commitment and one challenge for each account: another session's would take its place, and the answer
/// would belong to that one. Each session has its turn from the commitment to the answer, and from the challenge of a login
/// to its end, in the order in which they come.
final class KeyshareTurns: Sendable {
    private struct Waiter {
        let number: UInt64
        let scheme: SchemeIdentifier
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var taken: Set<SchemeIdentifier> = []
        var waiters: [Waiter] = []
        var lastNumber: UInt64 = 0

        mutating func makeNumber() -> UInt64 {
            lastNumber &+= 1
            return lastNumber
        }

        /// Removes the first waiter that fulfills a condition.
        mutating func removeWaiter(where condition: (Waiter) -> Bool) -> Waiter? {
            waiters.firstIndex(where: condition).map { waiters.remove(at: $0) }
        }
    }

    private let state = Mutex(State())

    /// The number of sessions that wait for their turn.
    var waitingCount: Int { state.withLock { $0.waiters.count } }

    /// Begins a turn at the servers of schemes; ``end(at:)`` must follow.
    ///
    /// - Parameter schemes: The schemes, each once, in an order that all callers share.
    /// - Throws: ``WalletError/Code/cancelled``; then no turn has begun.
    func begin(at schemes: [SchemeIdentifier]) async throws(WalletError) {
        for (position, scheme) in schemes.enumerated() {
            guard await begin(at: scheme) else {
                end(at: Array(schemes[..<position]))
                throw WalletError(.cancelled, "the task was cancelled", path: [scheme.text])
            }
        }
    }

    /// Ends a turn; those that wait longest come next.
    func end(at schemes: [SchemeIdentifier]) {
        let next = state.withLock { state in
            schemes.compactMap { scheme -> Waiter? in
                // The turn goes on to the next one as it is.
                if let waiter = state.removeWaiter(where: { $0.scheme == scheme }) { return waiter }
                state.taken.remove(scheme)
                return nil
            }
        }
        for waiter in next { waiter.continuation.resume(returning: true) }
    }

    /// Runs a body in a turn at the server of a scheme.
    ///
    /// - Throws: ``WalletError/Code/cancelled`` before the turn has begun, and what the body throws.
    func taking<Value>(
        at scheme: SchemeIdentifier,
        _ body: () async throws(WalletError) -> Value
    ) async throws(WalletError) -> Value {
        try await begin(at: [scheme])
        defer { end(at: [scheme]) }
        return try await body()
    }

    /// Waits for the turn at one server; `false` if the task was cancelled before.
    private func begin(at scheme: SchemeIdentifier) async -> Bool {
        let number = state.withLock { $0.makeNumber() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDecided: Bool? = state.withLock { state in
                    // A cancellation from here on finds the waiter.
                    guard !Task.isCancelled else { return false }
                    if state.taken.insert(scheme).inserted { return true }
                    state.waiters.append(Waiter(number: number, scheme: scheme, continuation: continuation))
                    return nil
                }
                if let isDecided { continuation.resume(returning: isDecided) }
            }
        } onCancel: {
            let waiter = state.withLock { state in state.removeWaiter { $0.number == number } }
            waiter?.continuation.resume(returning: false)
        }
    }
}
