#if Redis
import CredentialServing
import Synchronization

/// The connection for commands: made when it is needed, shared by all, and made again after it broke.
///
/// After a failure, commands are refused without an attempt until the back-off has passed.
final class RedisLink: Sendable {
    private struct State {
        var connection: RedisConnection?
        var attempt: Task<RedisConnection, any Error>?
        var failures = 0
        var failure: SessionStoreError?
        var failureTime: Int64 = 0
        var retryTime: Int64 = 0
        var isClosed = false
    }

    private let connector: RedisConnector
    private let clock: SessionClock
    private let jitter: @Sendable () -> Double
    private let state = Mutex(State())

    init(_ connector: RedisConnector, clock: SessionClock, jitter: @escaping @Sendable () -> Double) {
        self.connector = connector
        self.clock = clock
        self.jitter = jitter
    }

    /// The connection, or the one that is being made.
    func connection() async throws(SessionStoreError) -> RedisConnection {
        let now = clock.milliseconds
        let (connection, attempt) = try state.withLock {
            state throws(SessionStoreError) -> (RedisConnection?, Task<RedisConnection, any Error>?) in
            guard !state.isClosed else { throw SessionStoreError(.closed, "the store is shut down") }
            if let connection = state.connection, connection.isOpen { return (connection, nil) }
            state.connection = nil
            if let attempt = state.attempt { return (nil, attempt) }
            // A clock that was set back does not prolong the wait.
            if let failure = state.failure, now < state.retryTime, now >= state.failureTime { throw failure }
            let attempt = Task { try await self.connect() }
            state.attempt = attempt
            return (nil, attempt)
        }
        if let connection { return connection }
        do {
            guard let attempt else { throw SessionStoreError(.unavailable, "no connection") }
            return try await attempt.value
        } catch {
            throw error as? SessionStoreError ?? SessionStoreError(.unavailable, "no connection", cause: error)
        }
    }

    private func connect() async throws(SessionStoreError) -> RedisConnection {
        do throws(SessionStoreError) {
            let connection = try await connector.connect()
            let isClosed = state.withLock { state in
                state.attempt = nil
                state.failure = nil
                state.failures = 0
                state.connection = state.isClosed ? nil : connection
                return state.isClosed
            }
            guard !isClosed else {
                connection.close()
                throw SessionStoreError(.closed, "the store is shut down")
            }
            return connection
        } catch {
            let now = clock.milliseconds
            let jitter = jitter()
            state.withLock { state in
                state.attempt = nil
                state.failures += 1
                state.failure = error
                state.failureTime = now
                let wait = connector.configuration.backoff(after: state.failures, jitter: jitter)
                state.retryTime = now + Int64(wait / .milliseconds(1))
            }
            throw error
        }
    }

    /// Sends a command, and throws an error reply.
    func call(_ command: RedisCommand) async throws(SessionStoreError) -> RedisReply {
        let connection = try await connection()
        let reply = try await connection.send(command)
        guard case .error(let text) = reply else { return reply }
        // A master that became a replica: the next command asks again where the master is.
        if text.hasPrefix("READONLY") { connection.close() }
        throw SessionStoreError(redis: text)
    }

    /// Runs a script by its digest, or by its text where the server does not know it.
    func run(
        _ script: RedisScript,
        keys: [[UInt8]],
        arguments: [[UInt8]],
        isChange: Bool
    ) async throws(SessionStoreError) -> RedisReply {
        let connection = try await connection()
        let reply = try await connection.send(script.command(keys: keys, arguments: arguments, isChange: isChange))
        guard case .error(let text) = reply else { return reply }
        guard text.hasPrefix("NOSCRIPT") else {
            if text.hasPrefix("READONLY") { connection.close() }
            throw SessionStoreError(redis: text)
        }
        return try await connection.call(script.fullCommand(keys: keys, arguments: arguments, isChange: isChange))
    }

    func close() {
        let connection = state.withLock { state in
            state.isClosed = true
            defer { state.connection = nil }
            return state.connection
        }
        connection?.close()
    }
}
#endif
