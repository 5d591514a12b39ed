#if Server && Client
import CredentialServing
import Foundation
import HTTPTypes
import IRMAMessages
import Synchronization

/// A requestor's own server, which gets results and gives the next sessions of a chain.
final class RequestorBackend: Sendable {
    private let nextSessions: Mutex<[SessionRequest]>
    private let received = Mutex<[SessionResult]>([])
    private let nextURL: String

    /// A backend whose own URL the sessions of a chain name.
    init(_ nextSessions: [SessionRequest], url: String) {
        self.nextSessions = Mutex(nextSessions)
        nextURL = url + "/next"
    }

    /// The results that came, in their order.
    var results: [SessionResult] { received.withLock { $0 } }

    func engine() throws -> RoutedEngine {
        try RoutedEngine([
            .post("/callback/") { request in
                try await self.receive(request)
                return ServerResponse(.noContent)
            },
            .post("/next") { request in
                try await self.receive(request)
                let next = self.nextSessions.withLock { $0.isEmpty ? nil : $0.removeFirst() }
                guard let next else { return ServerResponse(.noContent) }
                var options = RequestorOptions()
                options.nextSessionURL = self.nextURL
                return .json(try RequestorMessage(next, options: options).encoded())
            },
        ])
    }

    private func receive(_ request: ServerRequest) async throws {
        let result = try SessionResult(decoding: try await request.body.collect(upTo: 1 << 20))
        received.withLock { $0.append(result) }
    }
}
#endif
