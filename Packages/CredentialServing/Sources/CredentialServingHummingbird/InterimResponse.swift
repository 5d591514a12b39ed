#if Server
import HTTPTypes
import NIOCore
import NIOHTTPTypes
import Synchronization

/// The response 100 to a client that waits for it before it sends a body (RFC 9110 section 10.1.1).
///
/// It is sent when the engine begins to read the body. A request that is refused by its header gets the refusal alone.
final class InterimResponse: Sendable {
    private let channel: any Channel
    private let isDue = Mutex(true)

    /// - Parameters:
    ///   - fields: The header of the request; nil results unless the client expects the response.
    ///   - channel: The connection; nil if there is no such response.
    init?(for fields: HTTPFields, on channel: (any Channel)?) {
        guard let channel, fields[.expect]?.lowercased() == "100-continue" else { return nil }
        self.channel = channel
    }

    /// Sends the response; once, and not after ``omit()``.
    func send() async throws {
        // It is on its way before the lock is free, so that nothing of the final response is before it.
        let sent = isDue.withLock { isDue -> EventLoopFuture<Void>? in
            guard isDue else { return nil }
            isDue = false
            return channel.writeAndFlush(HTTPResponsePart.head(HTTPResponse(status: .continue)))
        }
        try await sent?.get()
    }

    /// Leaves the response out from now on.
    ///
    /// - Returns: True if it was not sent.
    func omit() -> Bool {
        isDue.withLock { isDue in
            defer { isDue = false }
            return isDue
        }
    }
}
#endif
