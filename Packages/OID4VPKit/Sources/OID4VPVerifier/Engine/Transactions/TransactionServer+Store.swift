import CredentialServing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension TransactionServer {
    /// The number of times that a change is tried while others change the transaction.
    static let attempts = 16

    /// The name by which a transaction is found.
    enum Locator: Sendable {
        /// The requestor's name for it, which is its key in the store.
        case requestor(String)
        /// One of the names that wallets and frontends have.
        case other(SessionKey)
    }

    /// A transaction with its time limit applied.
    func record(_ locator: Locator) async throws(TransactionError) -> TransactionRecord {
        try await loaded(locator).value
    }

    /// Changes a transaction, again from its new state each time another writer was first.
    ///
    /// - Parameter body: Changes the record; it may run several times. Its changes are kept even if it refuses.
    @discardableResult
    func change<Value: Sendable>(
        _ locator: Locator,
        _ body: @Sendable (inout TransactionRecord, Int64) -> Result<Value, TransactionError>
    ) async throws(TransactionError) -> (value: Value, record: TransactionRecord) {
        for _ in 0..<Self.attempts {
            var session = try await loaded(locator)
            let before = session.value
            let outcome = body(&session.value, now)
            if session.value == before { return (try outcome.get(), before) }
            if let committed = try await commit(session, from: before) { return (try outcome.get(), committed.value) }
        }
        throw TransactionError(.unavailable, "the transaction is busy")
    }

    /// A transaction as stored, with its time limit applied.
    private func loaded(_ locator: Locator) async throws(TransactionError) -> TypedSession<TransactionRecord> {
        for _ in 0..<Self.attempts {
            guard var session = try await found(locator) else {
                throw TransactionError(.unknownTransaction, "there is no such transaction")
            }
            let before = session.value
            session.value.settle(at: now)
            guard session.value != before else { return session }
            if let settled = try await commit(session, from: before) { return settled }
        }
        throw TransactionError(.unavailable, "the transaction is busy")
    }

    private func found(_ locator: Locator) async throws(TransactionError) -> TypedSession<TransactionRecord>? {
        do {
            switch locator {
            case .requestor(let id): return try await sessions.session(for: SessionKey(id))
            case .other(let key): return try await sessions.session(forSecondaryKey: key)
            }
        } catch {
            throw failure(error, locator)
        }
    }

    /// Puts a changed transaction in the place of the one it was made from; nil if another writer was first.
    ///
    /// The result of a transaction that ends by the change is on its way to the callback then.
    private func commit(
        _ session: TypedSession<TransactionRecord>,
        from before: TransactionRecord
    ) async throws(TransactionError) -> TypedSession<TransactionRecord>? {
        var session = session
        session.expiry = Self.date(session.value.expiry(limits))
        let isEnd = session.value.status.isFinal && !before.status.isFinal
        if session.value.deadline != before.deadline { await noteDeadline(of: session.value) }
        if isEnd { await noteDelivery(of: session.value) }
        let committed: TypedSession<TransactionRecord>
        do {
            committed = try await sessions.swap(session)
        } catch {
            if error.code == .conflict { return nil }
            guard error.code == .outcomeUnknown, let stored = try await storedEnd(session, from: before) else {
                throw failure(error, before)
            }
            committed = stored
        }
        notify(committed.value, after: before.events.count)
        if isEnd {
            deliver(committed.value)
            work.noteEnd(of: before.id)
        }
        awaitEnd(of: committed.value)
        return committed
    }

    /// The end that a change may have made, as stored; nil if the store has another state, and for other changes.
    ///
    /// Only the change that ends a transaction tells the callback: a later look finds a transaction that has ended. Two
    /// processes that end one at its deadline write the same, so that both may tell it if an answer of the store is lost.
    private func storedEnd(
        _ session: TypedSession<TransactionRecord>,
        from before: TransactionRecord
    ) async throws(TransactionError) -> TypedSession<TransactionRecord>? {
        guard session.value.status.isFinal, !before.status.isFinal else { return nil }
        do throws(TransactionError) {
            let stored = try await found(.requestor(before.id))
            return stored.flatMap { $0.value.isSameEnd(as: session.value) ? $0 : nil }
        } catch {
            uncertainEnds.add(session.value, after: before.events.count)
            throw error
        }
    }

    /// Reports the ends that the store may have made while its answers were lost, if it made them.
    func tellUncertainEnds() async {
        for (end, count) in uncertainEnds.takeAll() {
            do throws(TransactionError) {
                guard let stored = try await found(.requestor(end.id))?.value, stored.isSameEnd(as: end) else {
                    continue
                }
                notify(end, after: count)
                deliver(stored)
                awaitEnd(of: stored)
            } catch {
                uncertainEnds.add(end, after: count)
            }
        }
    }

    /// Notes the deadline of an open transaction with a callback, for the processes that share the store.
    ///
    /// A store that cannot take the note leaves the transaction to this process alone.
    private func noteDeadline(of record: TransactionRecord) async {
        guard let shared, record.wishes.callback != nil, !record.status.isFinal else { return }
        try? await shared.add(record.id, until: record.deadline)
    }

    /// Ends the transactions with a callback whose time is up and whose process is gone, and sends results again that no
    /// callback has taken.
    func endAbandonedTransactions() async {
        await shared?.endExpired(at: now) { id in
            do throws(TransactionError) {
                // To read a transaction is to end it when its time is up. One with more time has a later note, too.
                await redeliver(try await record(.requestor(id)))
            } catch {
                // One that the store no longer has is over, and one that cannot be read holds up no other.
                if error.code == .unavailable { throw error }
            }
        }
    }

    /// Ends the transactions whose time is up.
    func endExpiredTransactions() async {
        for (id, party) in awaited.takeExpired(at: now) {
            do throws(TransactionError) {
                // To read a transaction is to end it when its time is up. Another process may have given it more time.
                awaitEnd(of: try await record(.requestor(id)))
            } catch {
                // A store that fails is asked again.
                if error.code != .unknownTransaction { awaited.add(id, of: party, until: now + 1) }
            }
        }
    }

    /// Notes the time at which a transaction ends, as long as it is open; one that has ended no longer counts.
    private func awaitEnd(of record: TransactionRecord) {
        if record.status.isFinal {
            awaited.forget(record.id, of: record.wishes.relyingParty)
            openTransactions.close(record.id, of: record.wishes.relyingParty)
        } else {
            awaited.add(record.id, of: record.wishes.relyingParty, until: record.deadline)
        }
    }

    /// Puts a new transaction into the store.
    func insert(_ record: TransactionRecord) async throws(TransactionError) {
        await noteDeadline(of: record)
        do {
            try await sessions.insert(
                record,
                key: record.key,
                secondaryKeys: record.secondaryKeys,
                expiry: Self.date(record.expiry(limits))
            )
        } catch {
            throw failure(error, record)
        }
        notify(record, after: 0)
        awaitEnd(of: record)
    }
}
