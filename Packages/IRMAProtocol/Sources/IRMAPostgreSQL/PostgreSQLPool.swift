#if PostgreSQL
package import CredentialServing
import Synchronization
import VerificationCore

/// The connections of a store: made when they are needed, used by one call at a time, made again after they broke.
///
/// After a failure to connect, calls are refused without an attempt until the back-off has passed. A call whose task is
/// cancelled leaves the queue for a connection; a transaction that has begun runs to its end, which the time limits of its
/// statements bound.
package final class PostgreSQLPool: Sendable {
    private enum Lease {
        case connection(PostgreSQLConnection)
        /// The right to make a connection.
        case vacancy
    }

    private struct Waiter {
        let number: UInt64
        let continuation: CheckedContinuation<Result<Lease, PostgreSQLError>, Never>
    }

    private struct State {
        var idle: [PostgreSQLConnection] = []
        /// The number of connections, idle or not, and of those being made.
        var count = 0
        var waiters: [Waiter] = []
        var lastNumber: UInt64 = 0
        var failures = 0
        var failure: PostgreSQLError?
        var failureTime: Int64 = 0
        var retryTime: Int64 = 0
        var isClosed = false
    }

    private let configuration: PostgreSQLConfiguration
    private let clock: SessionClock
    private let jitter: @Sendable () -> Double
    private let state = Mutex(State())

    /// The number of repetitions of a transaction that others were in the way of.
    private static let repetitions = 4

    /// Connections to a server; the first one is made when it is needed.
    ///
    /// - Parameters:
    ///   - configuration: The server and the limits.
    ///   - clock: The clock of the back-off.
    ///   - jitter: A random number from 0 to 1 for each back-off.
    /// - Throws: ``PostgreSQLError/Code-swift.struct/invalidConfiguration``.
    package init(
        _ configuration: PostgreSQLConfiguration,
        clock: SessionClock,
        jitter: @escaping @Sendable () -> Double
    ) throws(PostgreSQLError) {
        guard configuration.maximumConnections > 0, configuration.maximumWaitingCalls >= 0,
            configuration.connectTimeout > .zero, configuration.statementTimeout > .zero
        else { throw PostgreSQLError(.invalidConfiguration, "no connections, or no time for them") }
        try ConnectionString.check(configuration.connectionString)
        self.configuration = configuration
        self.clock = clock
        self.jitter = jitter
    }

    /// The number of connections that are open or being made.
    package var connectionCount: Int { state.withLock { $0.count } }

    /// The number of calls that wait for a connection.
    package var waitingCount: Int { state.withLock { $0.waiters.count } }

    /// Runs a transaction; again from its start where other transactions were in the way.
    ///
    /// - Parameters:
    ///   - access: Reading or changing.
    ///   - body: Runs the statements; an error that it throws takes all of them back. It may run several times.
    package func transaction<Value: Sendable>(
        _ access: PostgreSQLAccess,
        _ body: @escaping @Sendable (borrowing PostgreSQLTransaction) throws -> Value
    ) async throws -> Value {
        var contentions = 0
        while true {
            let (connection, isNew) = try await connection()
            let outcome = await connection.perform(access, body)
            giveBack(outcome.isUsable ? connection : nil)
            switch outcome.result {
            case .success(let value):
                return value
            case .failure(let error):
                // A connection that ended while it was idle tells nothing about the server of today.
                if !outcome.hasBegun, !isNew { continue }
                guard (error as? PostgreSQLError)?.code == .contention, contentions < Self.repetitions else {
                    throw error
                }
                contentions += 1
            }
        }
    }

    /// Closes the idle connections, and those in use when they are given back; refuses everything from now on.
    package func close() {
        let waiters = state.withLock { state in
            state.isClosed = true
            state.count -= state.idle.count
            state.idle = []
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.continuation.resume(returning: .failure(Self.closed)) }
    }

    private static let closed = PostgreSQLError(.closed, "the store is closed")

    /// A connection that was used before, or a new one.
    private func connection() async throws(PostgreSQLError) -> (PostgreSQLConnection, isNew: Bool) {
        switch try await lease() {
        case .connection(let connection): return (connection, false)
        case .vacancy: return (try await connect(), true)
        }
    }

    private func connect() async throws(PostgreSQLError) -> PostgreSQLConnection {
        let now = clock.milliseconds
        // A clock that was set back does not prolong the wait.
        let failure = state.withLock { state in
            now < state.retryTime && now >= state.failureTime ? state.failure : nil
        }
        do throws(PostgreSQLError) {
            if let failure { throw failure }
            let connection = try await PostgreSQLConnection.open(configuration)
            state.withLock { ($0.failures, $0.failure) = (0, nil) }
            return connection
        } catch {
            if failure == nil { note(error) }
            giveBack(nil)
            throw error
        }
    }

    private func note(_ error: PostgreSQLError) {
        let (now, jitter) = (clock.milliseconds, jitter())
        state.withLock { state in
            state.failures += 1
            state.failure = error
            state.failureTime = now
            let wait = configuration.backoff(after: state.failures, jitter: jitter)
            state.retryTime = now + Int64(min(max(wait / .milliseconds(1), 0), 86_400_000))
        }
    }

    private func lease() async throws(PostgreSQLError) -> Lease {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let result = state.withLock { state -> Result<Lease, PostgreSQLError>? in
                    if state.isClosed { return .failure(Self.closed) }
                    if Task.isCancelled { return .failure(Self.cancelled) }
                    if let connection = state.idle.popLast() { return .success(.connection(connection)) }
                    if state.count < configuration.maximumConnections {
                        state.count += 1
                        return .success(.vacancy)
                    }
                    guard state.waiters.count < configuration.maximumWaitingCalls else {
                        return .failure(PostgreSQLError(.unavailable, "too many calls wait for a connection"))
                    }
                    state.waiters.append(Waiter(number: number, continuation: continuation))
                    return nil
                }
                if let result { continuation.resume(returning: result) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiters.firstIndex { $0.number == number }.map { state.waiters.remove(at: $0) }
            }
            waiter?.continuation.resume(returning: .failure(Self.cancelled))
        }
        return try result.get()
    }

    private static let cancelled = PostgreSQLError(.cancelled, "the task was cancelled")

    /// Passes a connection on, or the place of one that broke.
    private func giveBack(_ connection: PostgreSQLConnection?) {
        let waiter = state.withLock { state -> Waiter? in
            guard !state.isClosed else {
                state.count -= 1
                return nil
            }
            guard !state.waiters.isEmpty else {
                if let connection { state.idle.append(connection) } else { state.count -= 1 }
                return nil
            }
            return state.waiters.removeFirst()
        }
        waiter?.continuation.resume(returning: .success(connection.map { .connection($0) } ?? .vacancy))
    }
}
#endif
