import CredentialServing
import CryptoCore
import Foundation
import HTTPTypes
import IRMAMessages
import JSONKit
import KeyshareServer
import MyIRMAServer
import Synchronization
import TestSupport

/// The date of a test, which stands still until the test advances it.
final class TestTime: Sendable {
    private let current = Mutex(Date(timeIntervalSince1970: 1_800_000_000))

    var date: Date { current.withLock { $0 } }
    var seconds: Int64 { Int64(date.timeIntervalSince1970) }

    func advance(by seconds: TimeInterval) { current.withLock { $0 += seconds } }

    var clock: SessionClock { SessionClock(now: { self.date }, timer: ManualClock()) }
}

/// A mail server that keeps its messages, or refuses them.
final class RecordingMailSender: MailSender {
    private let state = Mutex<(messages: [MailMessage], isBroken: Bool)>(([], false))
    /// The action that runs while the next message is sent.
    let meanwhile = Mutex<(@Sendable () async -> Void)?>(nil)

    var messages: [MailMessage] { state.withLock { $0.messages } }

    func breakDown() { state.withLock { $0.isBroken = true } }
    func repair() { state.withLock { $0.isBroken = false } }

    func send(_ message: MailMessage) async throws(KeyshareServerError) {
        await meanwhile.withLock { $0.take() }?()
        try state.withLock { state throws(KeyshareServerError) in
            guard !state.isBroken else { throw KeyshareServerError(.mailNotSent, "no mail server") }
            state.messages.append(message)
        }
    }
}

/// An IRMA server whose sessions end as a test says.
final class PlayIRMAServer: DisclosureSessions {
    private let state = Mutex<(requests: [SessionRequest], results: [String: SessionResult])>(([], [:]))

    /// The action that runs before the next result is given.
    let meanwhile = Mutex<(@Sendable () async -> Void)?>(nil)

    var requests: [SessionRequest] { state.withLock { $0.requests } }

    func start(_ request: SessionRequest) async throws -> SessionPackage {
        state.withLock { state in
            state.requests.append(request)
            let token = "requestor\(state.requests.count)"
            state.results[token] = SessionResult(token: token, status: .initialized, kind: .disclosing)
            return SessionPackage(
                pointer: SessionPointer(url: "https://irma.example/irma/session/\(token.suffix(1))", kind: .disclosing),
                token: token,
                frontend: FrontendAccess(authorization: "frontend", isPairingAdvised: false)
            )
        }
    }

    func result(of token: String) async throws -> SessionResult {
        await meanwhile.withLock { $0.take() }?()
        guard let result = state.withLock({ $0.results[token] }) else { throw RemoteError(.sessionUnknown) }
        return result
    }

    /// Ends the last session.
    func end(disclosing value: String?, proofs: ProofStatus = .valid, status: SessionStatus = .done) {
        state.withLock { state in
            let token = "requestor\(state.requests.count)"
            var result = SessionResult(token: token, status: status, kind: .disclosing)
            result.proofStatus = proofs
            let id = AttributeIdentifier("test.test.mijnirma.email")
            result.disclosed = [[DisclosedAttribute(id, rawValue: value, status: .present, issuanceTime: 0)]]
            state.results[token] = result
        }
    }

    /// Forgets all sessions.
    func forget() { state.withLock { $0.results = [:] } }
}

/// The server of users' own pages with its stores, and ways to call it.
struct Pages: Sendable {
    let time = TestTime()
    /// The clock for deadlines.
    let timer = ManualClock()
    let accounts = MemoryKeyshareAccountStore()
    let irma = PlayIRMAServer()
    let sender = RecordingMailSender()
    let sessions: BreakingSessionStore
    let service: MyIRMAService
    let server: InMemoryServer

    init(hasMail: Bool = true, usesSecureCookies: Bool = true, cors: CORSPolicy? = nil) throws {
        sessions = BreakingSessionStore(time.clock)
        service = try MyIRMAService(
            accounts: accounts,
            sessions: sessions,
            irma: irma,
            mail: hasMail ? Self.mail(sender) : nil,
            options: MyIRMAServiceOptions(
                loginAttributes: ["test.test.mijnirma.email", "test.test.login.name"],
                emailAttributes: ["test.test.email.email"],
                deleteDelay: 30,
                usesSecureCookies: usesSecureCookies
            ),
            clock: { [time] in time.date }
        )
        server = InMemoryServer(try service.engine(cors: cors, clock: timer))
    }

    private static func mail(_ sender: RecordingMailSender) throws -> MyIRMAMail {
        func texts(_ subject: String, _ body: String) throws -> MailTexts {
            try MailTexts(subjects: ["en": subject, "nl": "nl " + subject], bodies: ["en": body], default: "en")
        }
        return MyIRMAMail(
            Mailer(sender, from: try MailAddress("irma@example.org")),
            login: try texts("Log in", "{{.TokenURL}}"),
            loginLinks: try LocalizedText(["en": "https://example.org/#token="], default: "en"),
            emailDeletion: try texts("Address", "{{.Username}} {{.Delay}}"),
            accountDeletion: try texts("Account", "{{.Username}} {{.Email}} {{.Delay}}")
        )
    }

    /// Inserts an account with addresses.
    func insert(_ name: String, _ emails: String...) async throws {
        let account = KeyshareAccount(username: name, language: "nl", coreData: [1], lastSeen: 1000)
        try await accounts.insert(account)
        for email in emails { try await accounts.addEmail(email, to: name) }
    }

    /// A browser in which a user is logged in.
    func browser(of username: String) async throws -> Browser {
        let browser = Browser(self)
        _ = try await browser.post("/login/irma")
        irma.end(disclosing: username)
        _ = try await browser.post("/checksession")
        return browser
    }
}

/// A browser, which keeps its cookie.
final class Browser: Sendable {
    struct Answer {
        let status: Int
        let fields: HTTPFields
        let text: String
        var json: JSONValue { (try? JSONValue(parsing: Array(text.utf8))) ?? .null }
        /// Status and kind of error in short.
        var outcome: String { "\(status) \((try? RemoteError(decoding: Array(text.utf8)))?.name?.text ?? "-")" }
        var cookie: String? { fields[.setCookie] }
    }

    private let pages: Pages
    private let kept = Mutex<String?>(nil)

    var cookie: String? { kept.withLock { $0 } }

    init(_ pages: Pages, cookie: String? = nil) {
        self.pages = pages
        kept.withLock { $0 = cookie }
    }

    func get(_ path: String) async throws -> Answer { try await answer(.get, path, []) }

    func post(_ path: String, _ body: String = "") async throws -> Answer {
        try await answer(.post, path, Array(body.utf8))
    }

    func post(_ path: String, _ json: JSONValue) async throws -> Answer {
        try await answer(.post, path, json.encoded())
    }

    private func answer(_ method: HTTPRequest.Method, _ path: String, _ body: [UInt8]) async throws -> Answer {
        var fields: HTTPFields = [:]
        if let cookie { fields[.cookie] = "other=x; session=\(cookie)" }
        let response = try await pages.server.response(
            to: InMemoryRequest(method, path, headerFields: fields, body: body)
        )
        if let field = response.headerFields[.setCookie], let value = field.split(separator: ";").first {
            let text = value.split(separator: "=", omittingEmptySubsequences: false).last.map(String.init) ?? ""
            kept.withLock { $0 = text.isEmpty ? nil : text }
        }
        return Answer(
            status: response.status.code,
            fields: response.headerFields,
            text: String(decoding: response.body, as: UTF8.self)
        )
    }
}
