import IRMAMessages
import Synchronization

/// The work on wallets' messages: one message of a session at a time, in a task of its own.
///
/// The work goes on when the connection of the wallet drops, or its request takes too long: what a requestor or another server
/// was asked for is not lost, and the wallet, which sends its message again, gets the answer.
final class WalletWork: Sendable {
    private enum Turn {
        case own
        case afterOthers
        case withoutTask
        case refused
    }

    /// The largest number of sessions that are worked on in tasks of their own; further ones have the task of their request.
    static let maximumCount = 4096
    /// The largest number of requests that wait for the work on one session; further ones are refused.
    static let maximumWaiters = 16

    /// The sessions that are worked on, with the requests that wait for the end.
    private let running = Mutex<[String: [AsyncStream<Void>.Continuation]]>([:])

    /// The number of sessions that are worked on.
    var count: Int { running.withLock { $0.count } }

    /// The number of requests that wait for the work on a session.
    func waiterCount(of token: String) -> Int { running.withLock { $0[token]?.count ?? 0 } }

    /// Does the work on a message, at the latest until the caller's task is cancelled; the work goes on then.
    ///
    /// - Parameters:
    ///   - token: The wallet's token of the session.
    ///   - work: The work.
    /// - Returns: The outcome, or `nil` without work if another message of the session was worked on, which is over now.
    /// - Throws: What the work throws; `INTERNAL_ERROR` if the task is cancelled, and for more waiting requests than one wallet
    ///   makes.
    func outcome<Value: Sendable>(
        for token: String,
        of work: @escaping @Sendable () async throws(RemoteError) -> Value
    ) async throws(RemoteError) -> Value? {
        let (end, waiter) = AsyncStream<Void>.makeStream()
        let turn = running.withLock { running -> Turn in
            if let waiters = running[token] {
                guard waiters.count < Self.maximumWaiters else { return .refused }
                running[token]?.append(waiter)
                return .afterOthers
            }
            guard running.count < Self.maximumCount else { return .withoutTask }
            running[token] = []
            return .own
        }
        switch turn {
        case .own:
            let (outcomes, outcome) = AsyncStream<Result<Value, RemoteError>>.makeStream()
            startHere {
                do throws(RemoteError) {
                    outcome.yield(.success(try await work()))
                } catch {
                    outcome.yield(.failure(error))
                }
                self.end(token)
            }
            for await outcome in outcomes { return try outcome.get() }
            throw RemoteError(.internalError)
        case .afterOthers:
            for await _ in end {}
            guard !Task.isCancelled else { throw RemoteError(.internalError) }
            return nil
        case .withoutTask: return try await work()
        case .refused: throw RemoteError(.internalError)
        }
    }

    private func end(_ token: String) {
        let waiters = running.withLock { $0.removeValue(forKey: token) ?? [] }
        for waiter in waiters { waiter.finish() }
    }

    /// Starts a task on the caller's thread where the system can do that: most work never waits.
    private func startHere(_ operation: @escaping @Sendable () async -> Void) {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            _ = Task.immediate { await operation() }
        } else {
            Task { await operation() }
        }
    }

    /// Waits until nothing is worked on, at the latest until the caller's task is cancelled.
    func finish() async {
        while !Task.isCancelled {
            let (end, waiter) = AsyncStream<Void>.makeStream()
            let isOver = running.withLock { running in
                guard let token = running.keys.first else { return true }
                running[token]?.append(waiter)
                return false
            }
            guard !isOver else { return }
            for await _ in end {}
        }
    }
}
