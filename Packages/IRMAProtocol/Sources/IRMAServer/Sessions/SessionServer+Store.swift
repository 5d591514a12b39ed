import CredentialServing
import CryptoCore
import IRMAMessages

extension SessionServer {
    /// The number of times that a change is tried while others change the session.
    static let attempts = 16

    /// A session with its time limit applied.
    func record(_ locator: Locator) async throws(RemoteError) -> SessionRecord {
        try await loaded(locator).value
    }

    /// Changes a session, again from its new state each time another writer was first.
    ///
    /// - Parameter body: Changes the record; it may run several times. Its changes are kept even if it refuses.
    @discardableResult
    func change<Value: Sendable>(
        _ locator: Locator,
        _ body: @Sendable (inout SessionRecord, Int64) -> Result<Value, RemoteError>
    ) async throws(RemoteError) -> Value {
        for _ in 0..<Self.attempts {
            var session = try await loaded(locator)
            let before = session.value
            let outcome = body(&session.value, now)
            if session.value == before { return try outcome.get() }
            if try await commit(session, from: before) != nil { return try outcome.get() }
        }
        throw RemoteError(.internalError)
    }

    /// A session as stored, with its time limit applied.
    func loaded(_ locator: Locator) async throws(RemoteError) -> TypedSession<SessionRecord> {
        for _ in 0..<Self.attempts {
            guard var session = try await found(locator) else { throw RemoteError(.sessionUnknown) }
            let (before, now) = (session.value, self.now)
            guard before.isTimeUp(at: now, limits) else { return session }
            session.value.settle(at: now, limits)
            if let settled = try await commit(session, from: before) { return settled }
        }
        throw RemoteError(.internalError)
    }

    /// The session as it was loaded, unless it has changed since or its time is up.
    func reloaded(
        _ session: TypedSession<SessionRecord>,
        _ locator: Locator
    ) async throws(RemoteError) -> TypedSession<SessionRecord> {
        let entry: SessionEntry?
        do {
            entry = try await sessions.store.entry(for: session.entry.key)
        } catch {
            throw RemoteError(error)
        }
        guard entry?.version == session.entry.version, !session.value.isTimeUp(at: now, limits) else {
            return try await loaded(locator)
        }
        return session
    }

    private func found(_ locator: Locator) async throws(RemoteError) -> TypedSession<SessionRecord>? {
        do {
            switch locator {
            case .requestor(let token): return try await sessions.session(for: SessionKey(token))
            case .wallet(let token): return try await sessions.session(forSecondaryKey: SessionKey(token))
            }
        } catch {
            throw RemoteError(error)
        }
    }

    /// Puts a changed session in the place of the one it was made from; nil if another writer was first.
    ///
    /// The observer knows of a session that ends by the change then, and its result is on its way to the callback URL.
    func commit(
        _ session: TypedSession<SessionRecord>,
        from before: SessionRecord
    ) async throws(RemoteError) -> TypedSession<SessionRecord>? {
        var session = session
        session.expiry = Self.date(session.value.expiry(limits))
        _ = try? session.value.makeRequestText()
        let committed: TypedSession<SessionRecord>
        let isEnd = session.value.status.isFinal && !before.status.isFinal
        var isTold = false
        await noteForOthers(session.value, after: before)
        do {
            committed = try await sessions.swap(session)
            _ = uncertainEnds.forget(before.token)
        } catch {
            switch error.code {
            case .conflict: return nil
            case .tooLarge: throw RemoteError(.malformedInput, message: "the message is too large to be kept")
            case .outcomeUnknown:
                guard let end = try await storedEnd(session, from: before) else { throw RemoteError(error) }
                (committed, isTold) = end
            default: throw RemoteError(error)
            }
        }
        recent.keep(committed, insteadOf: session.entry, until: committed.value.deadline(limits), at: now)
        if isEnd, !isTold { tellEnd(of: committed.value) }
        noteDeadline(of: committed.value)
        return committed
    }

    /// The end that a change may have made, as stored, and whether another look has told it meanwhile; nil if the store has another
    /// state, and for other changes.
    ///
    /// Only the change that ends a session tells the callback and the observer: a later look finds a session that has ended. Two
    /// processes that end one at its deadline write the same, so that both may tell it if an answer of the store is lost.
    private func storedEnd(
        _ session: TypedSession<SessionRecord>,
        from before: SessionRecord
    ) async throws(RemoteError) -> (session: TypedSession<SessionRecord>, isTold: Bool)? {
        // The encodings are compared: a record that was read lacks the text of its request.
        guard session.value.status.isFinal, !before.status.isFinal, let value = try? session.value.encoded() else {
            return nil
        }
        let isKept = isEndAwaited(of: before) && uncertainEnds.add(before.token, encoding: value)
        guard let stored = try await found(.requestor(before.token)), stored.entry.value == value else { return nil }
        return (stored, isKept && !uncertainEnds.forget(before.token))
    }

    /// Reports the ends that the store may have made while its answers were lost, if it made them.
    private func tellUncertainEnds() async {
        for (token, digest) in uncertainEnds.takeAll() {
            do throws(RemoteError) {
                guard let stored = try await found(.requestor(token)),
                    HashAlgorithm.sha256.digest(of: stored.entry.value) == digest
                else { continue }
                tellEnd(of: stored.value)
                noteDeadline(of: stored.value)
            } catch {
                uncertainEnds.add(token, digest: digest)
            }
        }
    }

    /// Ends the sessions whose time is up and whose end somebody is to hear of: a callback URL, or ``SessionServices/observer``.
    ///
    /// Both hear of it although no request reads the session, and also of an end that the store may have made while its answer was
    /// lost. ``run()`` does this every second.
    ///
    /// With a store that processes share, the sessions of those that are gone are looked after, too: a few seconds after their
    /// time is up they end, and a result that its callback has not taken after 30 seconds is sent again. A callback may get a
    /// result twice.
    public func endTimedOutSessions() async {
        await tellUncertainEnds()
        await endOwnTimedOutSessions()
        await endAbandonedSessions()
    }

    /// Ends the sessions that this process has started or changed.
    private func endOwnTimedOutSessions() async {
        for list in [awaited, observed] {
            for token in list.takeExpired(at: now) {
                do throws(RemoteError) {
                    // To read a session is to end it when its time is up. Another process may have given it more time.
                    noteDeadline(of: try await record(.requestor(token)))
                } catch {
                    // A store that fails is asked again.
                    if error.name != .sessionUnknown { list.add(token, until: now + 1) }
                }
            }
        }
    }

    /// Notes the deadline of a session whose end is awaited, while it is open.
    private func noteDeadline(of record: SessionRecord) {
        guard isEndAwaited(of: record) else { return }
        // Sessions for the observer alone take no room from those with a callback.
        let list = record.wishes.callbackURL == nil ? observed : awaited
        if let deadline = record.deadline(limits) {
            list.add(record.token, until: deadline)
        } else {
            list.forget(record.token)
        }
    }

    /// Puts a new session into the store.
    func insert(_ record: SessionRecord) async throws(RemoteError) {
        var record = record
        _ = try? record.makeRequestText()
        await noteForOthers(record)
        do {
            let session = try await sessions.insert(
                record,
                key: record.key,
                secondaryKeys: [SessionKey(record.clientToken)],
                expiry: Self.date(record.expiry(limits))
            )
            recent.keep(session, until: record.deadline(limits), at: now)
            noteDeadline(of: record)
            tellStart(of: record)
        } catch {
            throw error.code == .tooLarge ? .invalidRequest("the request is too large") : RemoteError(error)
        }
    }
}
