#if Redis
@_spi(Layers) import CredentialTransport
import CredentialServing
import NIOCore
import NIOPosix
import Synchronization

/// The connection for commands: made when it is needed, shared by all, and made again after it broke.
///
/// After a failure, commands are refused without an attempt until the back-off has passed.
final class RedisLink: Sendable {
    private struct State {
        var connection: RedisConnection?
        var attempt: Attempt?
        var failures = 0
        var failure: SessionStoreError?
        var failureTime: Int64 = 0
        var retryTime: Int64 = 0
        var isClosed = false
    }

    private struct Attempt {
        let outcome: EventLoopFuture<RedisConnection>
        let task: Task<Void, Never>
    }

    private let connector: RedisConnector
    private let channel: [UInt8]
    private let clock: SessionClock
    private let jitter: @Sendable () -> Double
    private let state = Mutex(State())

    /// A connection that is yet to be made.
    ///
    /// - Parameters:
    ///   - connector: Makes connections.
    ///   - channel: The channel that changes are published to.
    ///   - clock: The clock of the back-off.
    ///   - jitter: A random number from 0 to 1 for each back-off.
    init(
        _ connector: RedisConnector,
        channel: [UInt8],
        clock: SessionClock,
        jitter: @escaping @Sendable () -> Double
    ) {
        self.connector = connector
        self.channel = channel
        self.clock = clock
        self.jitter = jitter
    }

    /// The connection, or the one that is being made.
    ///
    /// A caller whose task is cancelled no longer waits; the connection is made for the others.
    func connection() async throws(SessionStoreError) -> RedisConnection {
        let now = clock.milliseconds
        let (connection, outcome) = try state.withLock {
            state throws(SessionStoreError) -> (RedisConnection?, EventLoopFuture<RedisConnection>?) in
            guard !state.isClosed else { throw SessionStoreError(.closed, "the store is closed") }
            if let connection = state.connection, connection.isOpen { return (connection, nil) }
            state.connection = nil
            if let attempt = state.attempt { return (nil, attempt.outcome) }
            // A clock that was set back does not prolong the wait.
            if let failure = state.failure, now < state.retryTime, now >= state.failureTime { throw failure }
            let promise = MultiThreadedEventLoopGroup.singleton.any().makePromise(of: RedisConnection.self)
            let task = promise.completeWithTask { try await self.connect() }
            state.attempt = Attempt(outcome: promise.futureResult, task: task)
            return (nil, promise.futureResult)
        }
        if let connection { return connection }
        guard let outcome else { throw SessionStoreError(.unavailable, "no connection") }
        return try await outcome.valueUnlessCancelled()
    }

    private func connect() async throws(SessionStoreError) -> RedisConnection {
        do throws(SessionStoreError) {
            let connection = try await connector.connect()
            try await connection.setUp { () throws(SessionStoreError) in
                // A user without the right to publish is told before the first change. No session has an empty key.
                try await connection.call(RedisCommand([Array("PUBLISH".utf8), self.channel, []]))
            }
            let isClosed = state.withLock { state in
                state.attempt = nil
                state.failure = nil
                state.failures = 0
                state.connection = state.isClosed ? nil : connection
                return state.isClosed
            }
            guard !isClosed else {
                connection.close()
                throw SessionStoreError(.closed, "the store is closed")
            }
            return connection
        } catch {
            let now = clock.milliseconds
            let jitter = jitter()
            let isClosed = state.withLock { state in
                state.attempt = nil
                state.failures += 1
                state.failure = error
                state.failureTime = now
                let wait = connector.configuration.backoff(after: state.failures, jitter: jitter)
                state.retryTime = now + wait.wholeMilliseconds
                return state.isClosed
            }
            throw isClosed ? SessionStoreError(.closed, "the store is closed") : error
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
        let (connection, attempt) = state.withLock { state in
            state.isClosed = true
            defer { state.connection = nil }
            return (state.connection, state.attempt)
        }
        attempt?.task.cancel()
        connection?.close()
    }
}
#endif
