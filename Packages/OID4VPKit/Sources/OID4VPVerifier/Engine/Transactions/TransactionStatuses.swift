import CredentialServing

/// The states of a transaction, from the current one to a final one.
///
/// Each state is told once; a reader that is slow may miss one between two others. The sequence ends after a final state,
/// of which ``TransactionStatus/expired`` is told when the time has come, and when the transaction is gone.
public struct TransactionStatuses: AsyncSequence, Sendable {
    /// A state of the transaction.
    public typealias Element = TransactionStatus
    /// The sequence does not fail: a store that cannot tell the state ends it.
    public typealias Failure = Never

    private let stream: AsyncStream<TransactionStatus>

    init(_ stream: AsyncStream<TransactionStatus>) {
        self.stream = stream
    }

    /// Reads the states.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var base: AsyncStream<TransactionStatus>.AsyncIterator

        /// The next state, or nil at the end.
        public mutating func next() async -> TransactionStatus? { await next(isolation: nil) }

        /// The next state, or nil at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> TransactionStatus? {
            await base.next(isolation: actor)
        }
    }

    /// Starts to read; a sequence is read once.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base: stream.makeAsyncIterator()) }
}

extension TransactionServer {
    /// The states of a transaction, the current one first.
    ///
    /// - Parameter id: The requestor's name for it.
    /// - Throws: ``TransactionError/Code-swift.struct/unknownTransaction``,
    ///   ``TransactionError/Code-swift.struct/unavailable``.
    public func statuses(of id: String) async throws(TransactionError) -> TransactionStatuses {
        statuses(of: try await record(.requestor(id)))
    }

    /// The states of a transaction from a known one on; the known one is told first.
    func statuses(of record: TransactionRecord) -> TransactionStatuses {
        let (stream, continuation) = AsyncStream.makeStream(of: TransactionStatus.self)
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
        return TransactionStatuses(stream)
    }

    /// Tells every new state until a final one.
    private func follow(
        _ record: TransactionRecord,
        _ continuation: AsyncStream<TransactionStatus>.Continuation
    ) async {
        var known = record.status
        continuation.yield(known)
        guard !known.isFinal else { return }
        do {
            for try await entry in sessions.store.changes(of: record.key) {
                let status = try sessions.session(entry).value.status
                guard status != known else { continue }
                known = status
                continuation.yield(status)
                if known.isFinal { return }
            }
        } catch {
            // The reader sees the end of the sequence, and asks again.
        }
    }

    /// Ends the transaction when its time is up, and with it the sequence of its states.
    private func expire(_ record: TransactionRecord) async {
        var record = record
        while !record.status.isFinal {
            do {
                try await services.clock.timer.sleep(for: .milliseconds(max(record.deadline - now, 1)))
                record = try await self.record(.requestor(record.id))
            } catch {
                break
            }
        }
        // The final state comes from the store, which ends the sequence.
        let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
        await withTaskCancellationHandler {
            for await _ in stream {}
        } onCancel: {
            continuation.finish()
        }
    }
}
