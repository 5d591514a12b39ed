import CredentialServing
import HTTPTypes
import IRMAServer
import Synchronization

/// A body that knows whether it was read.
final class WatchedBody: AsyncSequence, Sendable {
    typealias Element = [UInt8]

    let wasRead = Mutex(false)

    struct AsyncIterator: AsyncIteratorProtocol {
        let body: WatchedBody

        mutating func next() async throws -> [UInt8]? {
            body.wasRead.withLock { $0 = true }
            return nil
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(body: self) }
}

extension ServerWorld {
    /// The status of the answer to a body, and whether the server read it.
    func statusOfWatchedBody(_ path: String, _ fields: HTTPFields = [:]) async throws -> (code: Int, wasRead: Bool) {
        let head = HTTPRequest(
            method: .post,
            scheme: "https",
            authority: "localhost",
            path: path,
            headerFields: fields
        )
        let body = WatchedBody()
        let request = ServerRequest(head: head, body: ServerRequestBody(pieces: body))
        let response = try await server.engine().response(to: request)
        return (response.status.code, body.wasRead.withLock { $0 })
    }
}
