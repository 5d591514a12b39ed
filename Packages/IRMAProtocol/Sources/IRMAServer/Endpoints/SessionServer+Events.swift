import CredentialServing
import IRMAMessages
import JSONKit

extension SessionServer {
    /// The time after which a subscriber is told that its stream is open.
    static let openingPause = Duration.milliseconds(200)

    /// The stream of a session's states.
    ///
    /// - Throws: `SSE_DISABLED` if the settings offer none, `UNEXPECTED_REQUEST` for a session that has ended.
    func events(
        of record: SessionRecord,
        for request: ServerRequest,
        write: @escaping @Sendable (SessionUpdate) throws(IRMAError) -> JSONValue
    ) throws(RemoteError) -> ServerResponse {
        guard options.offersEventStreams else {
            throw RemoteError(.eventsDisabled, summary: "Server sent events disabled")
        }
        guard !record.status.isFinal else {
            throw RemoteError(
                .unexpectedRequest,
                message: "Can't subscribe to server sent events of finished session"
            )
        }
        let clock = services.clock.timer
        return .events(for: request, clock: clock) { stream in
            try await withThrowingTaskGroup { group in
                group.addTask {
                    try await clock.sleep(for: Self.openingPause)
                    try await stream.send(OutgoingEvent(data: nil, type: "open"))
                }
                group.addTask {
                    // The subscriber knows the current state, or asks for it.
                    for await update in self.updates(of: record).dropFirst() {
                        try await stream.send(OutgoingEvent(data: try write(update).text(.compact)))
                    }
                    throw EndOfEvents()
                }
                do {
                    while try await group.next() != nil {}
                } catch is EndOfEvents {
                    group.cancelAll()
                }
            }
        }
    }

    /// Ends the tasks of a stream.
    private struct EndOfEvents: Error {}
}
