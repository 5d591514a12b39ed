import CredentialTransport
import StatusListKit
import Synchronization

/// A provider of status lists in memory, whose answers can be changed and held back.
final class TokenServer: Sendable {
    let transport: InMemoryHTTPTransport
    private let answers: Answers

    private final class Answers: Sendable {
        let byURL: Mutex<[String: InMemoryHTTPAnswer]>

        init(_ byURL: [String: InMemoryHTTPAnswer]) {
            self.byURL = Mutex(byURL)
        }
    }

    /// A server with one token.
    convenience init(_ token: StatusListToken, gate: AsyncStream<Void>? = nil) {
        self.init([TokenMaker.uri: Self.answer(token)], gate: gate)
    }

    /// A server.
    ///
    /// - Parameters:
    ///   - byURL: The answer for each URL; 404 for all others.
    ///   - gate: Answers are held back until this ends; nil to answer at once.
    init(_ byURL: [String: InMemoryHTTPAnswer], gate: AsyncStream<Void>? = nil) {
        let answers = Answers(byURL)
        self.answers = answers
        transport = InMemoryHTTPTransport { request throws(TransportError) in
            if let gate { for await _ in gate {} }
            return answers.byURL.withLock { $0[request.url.description] } ?? InMemoryHTTPAnswer(status: 404)
        }
    }

    static func answer(_ token: StatusListToken) -> InMemoryHTTPAnswer {
        .ok(token.encodedBytes, type: token.form == .jwt ? .statusListJWT : .statusListCWT)
    }

    /// The number of received requests.
    var count: Int { transport.requests.count }

    func set(_ answer: InMemoryHTTPAnswer?, at url: String = TokenMaker.uri) {
        answers.byURL.withLock { $0[url] = answer }
    }
}
