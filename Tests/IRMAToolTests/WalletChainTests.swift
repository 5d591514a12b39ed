#if Server && Client && SQLite
import CommandTesting
import CredentialServing
import CredentialServingHummingbird
import Foundation
import JSONKit
import Testing

/// A chain of sessions, as `irma wallet session` tells of it.
@Suite struct WalletChainTests {
    private let disk: SchemeOnDisk

    init() async throws {
        disk = try await SchemeOnDisk()
    }

    /// Starts a session at a server, and answers it.
    private func answer(_ request: String, of server: String) async throws -> Invocation {
        let port = try #require(URL(string: server)?.port)
        let started = try await LocalHTTP.post(port, "/session", request)
        let pointer = try #require(try JSONValue(parsing: started.body)["sessionPtr"], "\(started.body)")
        return await disk.wallet(["session", pointer.text(.compact), "--yes"])
    }

    private static let issuance = """
        {"request": {"@context": "https://irma.app/ld/request/issuance/v2", "credentials": [{"credential": \
        "demo.bank.card", "attributes": {"name": "NAME"}}]}}
        """

    /// Runs a test beside a requestor's server that names the next session.
    private func withRequestor(_ body: (String) async throws -> Void) async throws {
        let engine = try RoutedEngine([
            .post("/next") { _ in
                .json(Array(Self.issuance.replacing("NAME", with: "Bob").utf8))
            }
        ])
        let server = HummingbirdServer(engine, options: HummingbirdServerOptions(port: 0))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            let outcome: Result<Void, any Error>
            do {
                outcome = .success(try await body("http://127.0.0.1:\(try await server.port)/next"))
            } catch {
                outcome = .failure(error)
            }
            group.cancelAll()
            try outcome.get()
        }
    }

    /// The server gets the name again without a question of its own: the user reads it before the answer.
    @Test func tellsWhatTheNextSessionShowsAgain() async throws {
        try await withServer(of: disk, "--allow-unsigned-callbacks") { server in
            let issued = try await answer(Self.issuance.replacing("NAME", with: "Alice"), of: server)
            #expect(issued.status == 0, "\(issued.errors)")
            try await withRequestor { url in try await tellsWhatIsShownAgain(of: server, next: url) }
        }
    }

    private func tellsWhatIsShownAgain(of server: String, next url: String) async throws {
        let shown = try await answer(
            """
            {"nextSession": {"url": "\(url)"}, "request": {"@context": \
            "https://irma.app/ld/request/disclosure/v2", "disclose": [[["demo.bank.card.name"]]]}}
            """,
            of: server
        )
        #expect(shown.status == 0, "\(shown.errors)")
        let questions = shown.errors.split(separator: "session: ")
        try #require(questions.count == 2, "\(shown.errors)")
        #expect(questions[0].contains("shows:") && !questions[0].contains("shows again:"), "\(shown.errors)")
        let again = try #require(questions[1].firstRange(of: "shows again:"), "\(shown.errors)")
        #expect(questions[1][again.upperBound...].contains("demo.bank.card.name: Alice"), "\(shown.errors)")
        #expect(questions[1].contains("name: Bob"), "\(shown.errors)")
    }
}
#endif
