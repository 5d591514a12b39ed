import CommandSupport
import CredentialTransport
import CryptoCore
import IRMAMessages

extension RequestorClient {
    /// Gets a message, and asks again while the server, or a proxy before it, does not answer.
    ///
    /// - Parameters:
    ///   - type: The type of the message.
    ///   - path: The path below the server's URL.
    ///   - server: The server's URL.
    ///   - subject: What the message is, for the user.
    /// - Throws: ``LostServer`` after too many questions without an answer, and every refusal at once.
    func getPatiently<Message: IRMAMessage>(
        _ type: Message.Type,
        _ path: String,
        of server: String,
        _ subject: String
    ) async throws -> Message {
        var failures = 0
        while true {
            do {
                return try await get(type, path, of: server)
            } catch {
                try Task.checkCancellation()
                guard let fault = PassingFault(error) else { throw error }
                failures += 1
                guard failures < Repetition.maximumFailures else {
                    throw LostServer(subject: subject, failures: failures, reason: error)
                }
                let pause = Repetition.pause(after: failures, atLeast: fault.retryAfter)
                let next = "question \(failures + 1) of \(Repetition.maximumFailures) in \(pause)"
                notice("waiting for \(subject), \(next): \(error)".escapedForDisplay())
                try await clock.sleep(for: pause)
            }
        }
    }

    /// The states of a session, each once, until a final one.
    ///
    /// They come as events; from a server without events they are asked for.
    func statuses(of pointer: SessionPointer) -> AsyncThrowingStream<SessionStatus, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: SessionStatus.self)
        let task = Task {
            do {
                var last: SessionStatus?
                func tell(_ status: SessionStatus) -> Bool {
                    if status != last { continuation.yield(status) }
                    last = status
                    return status.isFinal
                }
                if try await !followEvents(of: pointer, tell) {
                    while !tell(try await status(of: pointer)) { try await clock.sleep(for: Self.pollInterval) }
                }
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }

    /// The time between two questions for a state.
    static let pollInterval = Duration.milliseconds(500)

    private func status(of pointer: SessionPointer) async throws -> SessionStatus {
        try await getPatiently(SessionStatus.self, "status", of: pointer.url, "the session's status")
    }

    /// Follows the events of a session.
    ///
    /// - Returns: `true` for a state that is final, `false` if there are no events, or no more.
    private func followEvents(
        of pointer: SessionPointer,
        _ tell: (SessionStatus) -> Bool
    ) async throws -> Bool {
        // The state before the first event.
        if tell(try await status(of: pointer)) { return true }
        let events = try EventStream(
            at: try Self.url(pointer.url, "statusevents"),
            over: transport,
            // The user is told of a server that does not answer: questions do that.
            options: EventStreamOptions(maximumFailures: 1),
            clock: clock
        )
        do {
            for try await event in events {
                if event.type == "open" {
                    // Says that events come from now on: a change before it is found by asking.
                    if tell(try await status(of: pointer)) { return true }
                } else if let status = try? SessionStatus(decoding: Array(event.data.utf8)), tell(status) {
                    return true
                }
            }
        } catch is TransportError {
            try Task.checkCancellation()
        }
        return false
    }
}

/// The pauses between questions that a server leaves without an answer.
private enum Repetition {
    /// The largest number of questions in a row without an answer: with the pauses, some two minutes, in which a server
    /// restarts.
    static let maximumFailures = 12

    /// The pause after a number of failures in a row: it doubles from half a second, or is what the server asks for, and
    /// is never longer than 15 seconds.
    static func pause(after failures: Int, atLeast retryAfter: Duration?) -> Duration {
        var pause = Duration.milliseconds(500)
        for _ in 1..<max(failures, 1) where pause < longest { pause *= 2 }
        return min(max(pause, retryAfter ?? .zero), longest)
    }

    private static let longest = Duration.seconds(15)
}

/// A fault of the network, or of a server that is not ready at present: another question may be answered.
private struct PassingFault {
    /// The time that the answer asks to wait.
    let retryAfter: Duration?

    /// Takes an error; nil for one that another question would meet as well.
    init?(_ error: any Error) {
        switch error {
        case let refusal as ServerRefusal where Self.busy.contains(refusal.response.status):
            retryAfter = TransportError(.unexpectedStatus, "", answer: refusal.response).retryAfter
        case let error as TransportError where Self.passing.contains(error.code):
            retryAfter = nil
        default: return nil
        }
    }

    /// The statuses of a server, or a proxy before it, that is not ready at present.
    private static let busy: Set<Int> = [429, 502, 503, 504]

    private static let passing: Set<TransportError.Code> = [
        .resolutionFailed, .resolverBusy, .connectionFailed, .exchangeFailed, .timedOut, .incompleteBody,
    ]
}

/// A server that answers no more; its session may go on.
struct LostServer: Error, CustomStringConvertible {
    let subject: String
    let failures: Int
    let reason: any Error

    var description: String {
        "\(failures) questions in a row for \(subject) had no answer, and the session may go on; the last: \(reason)"
            .escapedForDisplay()
    }
}
