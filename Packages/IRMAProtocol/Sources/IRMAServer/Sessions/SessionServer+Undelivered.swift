import CredentialServing
import IRMAMessages

extension SessionServer {
    /// Ends the sessions with a callback URL whose time is up and whose process is gone, and sends results again that no callback
    /// has taken.
    ///
    /// A callback may get a result twice: the process that ended the session may still try.
    func endAbandonedSessions() async {
        await undelivered?.lookAfter(at: now) { token, isDue in
            do throws(RemoteError) {
                // To read a session is to end it when its time is up. One with more time has a later note, too.
                let record = try await record(.requestor(token))
                if isDue, record.status.isFinal, !delivery.isUnderWay(token) { deliver(record) }
            } catch {
                // One that cannot be read holds up no other; a store that fails is asked again.
                if error.name != .sessionUnknown { try await sessions.store.check() }
            }
        }
    }

    /// Sends the result of a session that has ended to its callback URL, if it has one.
    func deliver(_ record: SessionRecord) {
        delivery.deliver(record.result, record.wishes) { [undelivered] in await undelivered?.remove(record.token) }
    }

    /// Notes a session with a callback for the processes that share the store, before the store has its new state: a new deadline,
    /// or its end.
    func noteForOthers(_ record: SessionRecord, after before: SessionRecord? = nil) async {
        guard let undelivered, delivery.target(of: record.wishes) != nil else { return }
        guard let deadline = record.deadline(limits) else {
            guard before?.status.isFinal == false else { return }
            return await undelivered.add(record.token, at: now, until: record.expiry(limits))
        }
        if deadline != before?.deadline(limits) { await undelivered.noteDeadline(of: record.token, at: deadline) }
    }
}
