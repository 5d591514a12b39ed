#if Server && Client && SQLite
import CommandSupport
import CredentialTransport
import Foundation
import HTTPTypes
import IRMAMessages
import JSONKit
import Synchronization
import TestSupport
import Testing

@testable import IRMATool

/// A requestor whose server does not answer.
@Suite struct SessionFollowingTests {
    private static let url = "https://server.example/irma/session/abc"
    private static let pointer = SessionPointer(url: url, kind: .disclosing)
    private static let package = SessionPackage(pointer: pointer, token: "token", frontend: nil)

    private let clock = ManualClock()

    /// The fate of a question.
    private enum Fate: Sendable {
        case answered(String)
        case status(Int, HTTPFields = [:])
        case lost(TransportError.Code)
    }

    /// A server that meets the questions for a path with one fate after another, the last of them for all that follow.
    private final class Script: Sendable {
        private let fates: Mutex<[String: [Fate]]>
        private let notices = Mutex<[String]>([])

        init(_ fates: [String: [Fate]]) {
            self.fates = Mutex(fates)
        }

        /// The lines for the user.
        var lines: [String] { notices.withLock { $0 } }

        func notice(_ line: String) { notices.withLock { $0.append(line) } }

        func transport() -> InMemoryHTTPTransport {
            InMemoryHTTPTransport { request in
                let fate = self.fates.withLock { fates -> Fate? in
                    guard let rest = fates[request.url.path], let first = rest.first else { return nil }
                    if rest.count > 1 { fates[request.url.path] = Array(rest.dropFirst()) }
                    return first
                }
                switch fate {
                case .answered(let text): return .ok(Array(text.utf8), type: .json)
                case .status(let status, let fields):
                    return InMemoryHTTPAnswer(status: status, headerFields: fields)
                case .lost(let code): throw TransportError(code, "as the test wants it")
                case nil: return InMemoryHTTPAnswer(status: 404)
                }
            }
        }
    }

    private func client(_ script: Script, _ transport: InMemoryHTTPTransport) -> RequestorClient {
        RequestorClient(transport: transport, clock: clock, notice: script.notice)
    }

    /// Follows a session, and passes the pauses as they come.
    private func follow(
        _ script: Script,
        over transport: InMemoryHTTPTransport,
        pauses: [Duration]
    ) async throws -> SessionResult? {
        let client = client(script, transport)
        let display = SessionDisplay(
            console: Console(output: { _ in }, error: { script.notice($0) }),
            hidesCode: true,
            isVerbose: true
        )
        let followed = Task {
            try await display.follow(
                RemoteSession(client, Self.package, server: "https://server.example"),
                pairing: false
            )
        }
        for pause in pauses {
            await clock.waitForSleeper(pause)
            clock.advance(by: pause)
        }
        return try await followed.value
    }

    private static let result = #"{"token":"token","status":"DONE","type":"disclosing","proofStatus":"VALID"}"#

    @Test func goesOnAfterLostQuestions() async throws {
        let script = Script([
            "/irma/session/abc/status": [
                .lost(.connectionFailed), .status(502), .status(503, [.retryAfter: "5"]), .answered(#""INITIALIZED""#),
                .lost(.timedOut), .answered(#""DONE""#),
            ],
            "/session/token/result": [.status(504), .lost(.exchangeFailed), .answered(Self.result)],
        ])
        let transport = script.transport()
        let pauses: [Duration] = [
            .milliseconds(500), .seconds(1), .seconds(5), .milliseconds(500), .milliseconds(500), .seconds(1),
        ]
        let result = try await follow(script, over: transport, pauses: pauses)
        #expect(result?.status == .done && result?.proofStatus == .valid)
        #expect(clock.durations == pauses)
        #expect(script.lines.count { $0.hasPrefix("waiting for the session's status, question 2 of 12") } == 2)
        #expect(script.lines.contains { $0.contains("question 4 of 12") && $0.contains("503") })
        #expect(script.lines.contains { $0.hasPrefix("waiting for the session's result, question 3 of 12") })
        #expect(script.lines.contains("status: DONE"))
    }

    /// The session may go on without the command.
    @Test func leavesASessionWhoseServerIsSilent() async throws {
        let script = Script(["/irma/session/abc/status": [.lost(.connectionFailed)]])
        let transport = script.transport()
        let pauses: [Duration] =
            [.milliseconds(500), .seconds(1), .seconds(2), .seconds(4), .seconds(8)]
            + Array(repeating: .seconds(15), count: 6)
        let lost = await #expect(throws: LostServer.self) {
            try await follow(script, over: transport, pauses: pauses)
        }
        #expect(lost?.failures == 12)
        #expect(transport.requests.count == 12)
        #expect(!transport.requests.contains { $0.method == .delete })
    }

    @Test func fallsBackToQuestionsWhereEventsEnd() async throws {
        let script = Script([
            "/irma/session/abc/status": [
                .answered(#""INITIALIZED""#), .lost(.connectionFailed), .answered(#""DONE""#),
            ],
            "/irma/session/abc/statusevents": [.lost(.connectionFailed)],
            "/session/token/result": [.answered(Self.result)],
        ])
        let result = try await follow(script, over: script.transport(), pauses: [.milliseconds(500)])
        #expect(result?.status == .done)
    }

    @Test(arguments: [400, 404, 500])
    func takesARefusalForAnAnswer(status: Int) async throws {
        let script = Script(["/irma/session/abc/status": [.status(status)]])
        let transport = script.transport()
        await #expect(throws: ServerRefusal.self) { try await follow(script, over: transport, pauses: []) }
        #expect(transport.requests.map(\.method) == [.get, .delete])
    }

    @Test func asksNoUntrustedServerAgain() async throws {
        let script = Script(["/irma/session/abc/status": [.lost(.tlsFailed)]])
        await #expect(throws: TransportError.self) { try await follow(script, over: script.transport(), pauses: []) }
    }
}
#endif
