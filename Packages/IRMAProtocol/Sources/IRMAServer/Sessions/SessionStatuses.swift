import CredentialServing
public import IRMAMessages

/// The states of a session, from the current one to a final one.
///
/// Each state is told once. The sequence ends after a final state, of which `timedOut` is told when the time
/// has come, and when the session is gone.
public struct SessionStatuses: AsyncSequence, Sendable {
    /// A state of the session.
    public typealias Element = SessionStatus
    /// The sequence does not fail: a store that cannot tell the state ends it.
    public typealias Failure = Never

    private let updates: AsyncStream<SessionUpdate>

    init(_ updates: AsyncStream<SessionUpdate>) {
        self.updates = updates
    }

    /// Reads the states.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var base: AsyncStream<SessionUpdate>.AsyncIterator

        /// The next state, or nil at the end.
        public mutating func next() async -> SessionStatus? { await next(isolation: nil) }

        /// The next state, or nil at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> SessionStatus? {
            await base.next(isolation: actor)?.status
        }
    }

    /// Starts to read; a sequence is read once.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base: updates.makeAsyncIterator()) }
}

/// A state of a session, as events tell it.
struct SessionUpdate: Hashable, Sendable {
    let status: SessionStatus
    let next: SessionPointer?
}

extension SessionServer {
    /// The states of a session, the current one first.
    ///
    /// - Parameter token: The requestor's token.
    /// - Throws: `RemoteError` with the name `SESSION_UNKNOWN` or `INTERNAL_ERROR`.
    public func statuses(of token: String) async throws(RemoteError) -> SessionStatuses {
        SessionStatuses(updates(of: try await record(.requestor(token))))
    }

    /// The states of a session from a known one on; the known one is told first.
    func updates(of record: SessionRecord) -> AsyncStream<SessionUpdate> {
        let (stream, continuation) = AsyncStream.makeStream(of: SessionUpdate.self)
        let task = Task {
            await withTaskGroup { group in
                group.addTask { await self.follow(record, continuation) }
                group.addTask { await self.expire(record) }
                await group.next()
                group.cancelAll()
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }

    /// Tells every new state until a final one.
    private func follow(_ record: SessionRecord, _ continuation: AsyncStream<SessionUpdate>.Continuation) async {
        var known = record.status
        continuation.yield(SessionUpdate(status: record.status, next: record.next))
        guard !known.isFinal else { return }
        do {
            for try await entry in sessions.store.changes(of: record.key) {
                let value = try sessions.session(entry).value
                guard value.status != known else { continue }
                known = value.status
                continuation.yield(SessionUpdate(status: value.status, next: value.next))
                if known.isFinal { return }
            }
        } catch {
            // The reader sees the end of the sequence, and asks again.
        }
    }

    /// Ends the session when its time is up, and with it the sequence of its states.
    private func expire(_ record: SessionRecord) async {
        var record = record
        while let deadline = record.deadline(limits) {
            let rest = max(deadline - now, 1)
            do {
                try await services.clock.timer.sleep(for: .milliseconds(rest))
                record = try await self.record(.requestor(record.token))
            } catch {
                return await Self.waitForCancellation()
            }
        }
        // The final state comes from the store.
        await Self.waitForCancellation()
    }

    private static func waitForCancellation() async {
        let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
        await withTaskCancellationHandler {
            for await _ in stream {}
        } onCancel: {
            continuation.finish()
        }
    }
}
