import CredentialServing
import HTTPTypes
import IRMAMessages
import JSONKit
import KeyshareServer
import MyIRMAServer
import Synchronization
import TestSupport
import Testing

/// The pages on which users see and change their accounts.
@Suite struct AccountTests {
    private let pages: Pages
    private let day: Int64 = 86_400

    init() throws {
        pages = try Pages()
    }

    @Test func showsTheAccount() async throws {
        try await pages.insert("alice", "a@example.org", "b@example.org")
        _ = try await pages.accounts.scheduleDeletion(ofEmail: "b@example.org", of: "alice", on: pages.time.seconds)
        let browser = try await pages.browser(of: "alice")
        let answer = try await browser.get("/user")
        #expect(answer.fields[.cacheControl] == "no-store")
        #expect(
            answer.json == [
                "username": "alice",
                "emails": [
                    ["email": "a@example.org", "delete_in_progress": false, "revalidate_in_progress": false],
                    ["email": "b@example.org", "delete_in_progress": true, "revalidate_in_progress": false],
                ],
                "delete_in_progress": false,
            ]
        )
        pages.time.advance(by: 1)
        #expect(try await browser.get("/user").json["emails"]?.arrayValue?.count == 1)
    }

    @Test func showsTheLogElevenAtATime() async throws {
        try await pages.insert("alice")
        let events = (1...13).map { KeyshareAccountEvent(.pinCheckFailed, at: Int64($0), parameter: 2) }
        let stored = try #require(try await pages.accounts.account(named: "alice"))
        try await pages.accounts.update(stored, recording: events)
        let browser = try await pages.browser(of: "alice")
        let first = try #require(try await browser.get("/user/logs/0").json.arrayValue)
        #expect(first.count == 11)
        #expect(first.first == ["timestamp": 13, "event": "PIN_CHECK_FAILED", "param": "2"])
        #expect(try await browser.get("/user/logs/11").json.arrayValue?.count == 2)
        #expect(try await browser.get("/user/logs/99").text == "[]")
        for offset in ["-1", "x", "2147483648", "9999999999999999999999"] {
            #expect(try await browser.get("/user/logs/\(offset)").outcome == "400 INVALID_REQUEST")
        }
    }

    @Test func addsAnAddressThatIsDisclosed() async throws {
        try await pages.insert("alice")
        let browser = try await pages.browser(of: "alice")
        let begun = try await browser.post("/email/add")
        #expect(begun.json["sessionPtr"]?["irmaqr"] == "disclosing" && !begun.text.contains("requestor"))
        #expect(pages.irma.requests.last?.disclose == [[["test.test.email.email"]]])
        #expect(try await browser.get("/user").json["emails"] == [])
        pages.irma.end(disclosing: "a@example.org")
        #expect(try await browser.get("/user").json["emails"]?.arrayValue?.first?["email"] == "a@example.org")
        pages.irma.forget()
        #expect(try await browser.get("/user").json["emails"]?.arrayValue?.count == 1)
    }

    @Test func addsNoAddressThatIsNotProved() async throws {
        try await pages.insert("alice")
        let browser = try await pages.browser(of: "alice")
        _ = try await browser.post("/email/add")
        pages.irma.end(disclosing: "a@example.org", proofs: .invalid)
        #expect(try await browser.get("/user").outcome == "400 INVALID_PROOFS")
        #expect(try await browser.get("/user").json["emails"] == [])
        _ = try await browser.post("/email/add")
        pages.irma.forget()
        #expect(try await browser.get("/user").outcome == "500 INTERNAL_ERROR")
        #expect(try await browser.get("/user").status == 200)
        _ = try await browser.post("/email/add")
        pages.irma.end(disclosing: "a\0@example.org")
        #expect(try await browser.get("/user").status == 400)
        #expect(try await browser.get("/user").json["emails"] == [])
    }

    /// Whatever change of the browser's session fails, the next look finds the address, once.
    @Test(arguments: 1...3) func aStoreThatFailsCostsNoAddress(change: Int) async throws {
        try await pages.insert("alice")
        let browser = try await pages.browser(of: "alice")
        _ = try await browser.post("/email/add")
        pages.irma.end(disclosing: "a@example.org")
        pages.sessions.fail(at: change)
        _ = try await browser.get("/user")
        pages.sessions.fail(at: 0)
        #expect(try await browser.get("/user").json["emails"]?.arrayValue?.count == 1)
    }

    @Test func removesAnAddressAfterTheDelay() async throws {
        try await pages.insert("alice", "a@example.org")
        let browser = try await pages.browser(of: "alice")
        for other in ["b@example.org", "", "A@example.org"] {
            let answer = try await browser.post("/email/remove", other)
            #expect(answer.outcome == "400 INVALID_REQUEST" && answer.text.contains("Not a valid email address"))
        }
        #expect(try await browser.post("/email/remove", "a@example.org").status == 204)
        let message = try #require(pages.sender.messages.first)
        #expect(message.recipients.map(\.text) == ["a@example.org"] && message.subject == "nl Address")
        #expect(message.body == "alice 30")
        let emails = try await pages.accounts.summary(of: "alice", at: 0)?.emails
        #expect(emails == [KeyshareEmail("a@example.org", deleteOn: pages.time.seconds + 30 * day)])
        #expect(try await browser.post("/email/remove", "a@example.org").outcome == "400 INVALID_REQUEST")
        #expect(pages.sender.messages.count == 1)
    }

    @Test func deletesAnAccountAfterTheDelay() async throws {
        try await pages.insert("alice", "a@example.org", "b@example.org", "no address")
        let browser = try await pages.browser(of: "alice")
        let cookie = browser.cookie
        let deleted = try await browser.post("/user/delete")
        #expect(deleted.status == 204 && deleted.cookie?.contains("Max-Age=0") == true)
        let message = try #require(pages.sender.messages.first)
        #expect(message.recipients.map(\.text) == ["a@example.org", "b@example.org"])
        #expect(message.body == "alice a@example.org, b@example.org 30")
        #expect(try await pages.accounts.account(named: "alice") == nil)
        #expect(try await pages.accounts.summary(of: "alice", at: 0)?.isBeingDeleted == true)
        #expect(try await Browser(pages, cookie: cookie).get("/user").outcome == "400 INVALID_REQUEST")
        let again = try await pages.browser(of: "alice")
        #expect(try await again.post("/user/delete").outcome == "403 USER_NOT_REGISTERED")
        #expect(pages.sender.messages.count == 1)
    }

    /// A button that is pressed twice sends one message; after a failure the button works again.
    @Test(arguments: [true, false])
    func tellsOneOfSeveralDeletionsAtOnce(fails: Bool) async throws {
        try await pages.insert("alice", "a@example.org", "b@example.org")
        for (path, address) in [("/email/remove", "a@example.org"), ("/user/delete", "")] {
            let (browser, other) = try await (pages.browser(of: "alice"), pages.browser(of: "alice"))
            let outcome = Mutex<String?>(nil)
            pages.sender.meanwhile.withLock {
                $0 = { [sender = pages.sender] in
                    let answer = try? await other.post(path, address)
                    outcome.withLock { $0 = answer?.outcome }
                    if fails { sender.breakDown() }
                }
            }
            let first = try await browser.post(path, address)
            let isAccount = address.isEmpty
            #expect(first.status == (fails ? 500 : 204))
            #expect(outcome.withLock { $0 } == (isAccount ? "403 USER_NOT_REGISTERED" : "400 INVALID_REQUEST"))
            guard fails else { continue }
            pages.sender.repair()
            #expect(try await other.post(path, address).status == 204)
        }
        #expect(pages.sender.messages.count == 2)
    }

    /// The mail server takes longer than the request may, and refuses then.
    @Test func aDeletionCanBeTriedAgainWhoseRequestWasCancelled() async throws {
        try await pages.insert("alice", "a@example.org")
        let browser = try await pages.browser(of: "alice")
        pages.sender.meanwhile.withLock {
            $0 = { [sender = pages.sender, timer = pages.timer] in
                timer.advance(by: .seconds(10))
                while !Task.isCancelled { await Task.yield() }
                sender.breakDown()
            }
        }
        #expect(try await browser.post("/email/remove", "a@example.org").status == 503)
        pages.sender.repair()
        #expect(try await browser.post("/email/remove", "a@example.org").status == 204)
    }

    /// A mark whose process is gone counts for a minute.
    @Test func deletesAfterAProcessIsGone() async throws {
        try await pages.insert("alice", "a@example.org")
        let (browser, other) = try await (pages.browser(of: "alice"), pages.browser(of: "alice"))
        let outcomes = Mutex<[String?]>([])
        pages.sender.meanwhile.withLock {
            $0 = { [time = pages.time] in
                for seconds in [59.0, 1] {
                    time.advance(by: seconds)
                    let answer = try? await other.post("/user/delete")
                    outcomes.withLock { $0.append(answer?.outcome) }
                }
            }
        }
        _ = try await browser.post("/user/delete")
        #expect(outcomes.withLock { $0 } == ["403 USER_NOT_REGISTERED", "204 -"])
    }

    /// A thief who blocks the mail server gains nothing.
    @Test func deletesNothingWithoutTellingTheUser() async throws {
        try await pages.insert("alice", "a@example.org")
        let browser = try await pages.browser(of: "alice")
        pages.sender.breakDown()
        #expect(try await browser.post("/user/delete").outcome == "500 INTERNAL_ERROR")
        #expect(try await browser.post("/email/remove", "a@example.org").outcome == "500 INTERNAL_ERROR")
        #expect(try await pages.accounts.account(named: "alice") != nil)
        #expect(try await pages.accounts.summary(of: "alice", at: 0)?.emails == [KeyshareEmail("a@example.org")])
    }

    @Test func saysThatAnAccountIsGone() async throws {
        try await pages.insert("alice")
        let browser = try await pages.browser(of: "alice")
        try await pages.accounts.delete("alice")
        #expect(try await browser.get("/user").outcome == "403 USER_NOT_REGISTERED")
        #expect(try await browser.post("/user/delete").outcome == "403 USER_NOT_REGISTERED")
    }

    @Test func letsPagesOfOtherOriginsIn() async throws {
        let cors = try CORSPolicy(origins: .exactly(["https://my.example"]), allowsCredentials: true)
        let pages = try Pages(cors: cors)
        let fields: HTTPFields = [.origin: "https://my.example"]
        let answer = try await pages.server.response(to: InMemoryRequest(.post, "/checksession", headerFields: fields))
        #expect(answer.headerFields[.accessControlAllowOrigin] == "https://my.example")
        #expect(answer.headerFields[.accessControlAllowCredentials] == "true")
    }

    @Test func refusesOptionsOutOfRange() throws {
        let good = MyIRMAServiceOptions(loginAttributes: ["a.b.c.d"], emailAttributes: ["a.b.c.d"])
        let changes: [(inout MyIRMAServiceOptions) -> Void] = [
            { $0.loginAttributes = [] }, { $0.emailAttributes = [] }, { $0.loginAttributes = ["a.b.c"] },
            { $0.emailAttributes = ["a"] }, { $0.sessionLifetime = 0 }, { $0.sessionLifetime = 86_401 },
            { $0.deleteDelay = -1 }, { $0.deleteDelay = .max },
        ]
        func code(_ options: MyIRMAServiceOptions) -> KeyshareServerError.Code? {
            do throws(KeyshareServerError) {
                _ = try MyIRMAService(
                    accounts: pages.accounts,
                    sessions: pages.sessions,
                    irma: pages.irma,
                    options: options
                )
                return nil
            } catch {
                return error.code
            }
        }
        #expect(code(good) == nil)
        for change in changes {
            var options = good
            change(&options)
            #expect(code(options) == .invalidConfiguration)
        }
    }
}
