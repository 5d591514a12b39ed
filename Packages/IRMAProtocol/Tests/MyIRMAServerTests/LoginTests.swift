import HTTPTypes
import IRMAMessages
import JSONKit
import KeyshareServer
import MyIRMAServer
import Synchronization
import Testing

/// Logins with the login attribute and by e-mail, and their sessions.
@Suite struct LoginTests {
    private let pages: Pages
    private let browser: Browser

    init() throws {
        pages = try Pages()
        browser = Browser(pages)
    }

    @Test func logsInWithTheLoginAttribute() async throws {
        try await pages.insert("alice")
        let begun = try await browser.post("/login/irma")
        #expect(begun.status == 200 && begun.fields[.contentType] == "application/json; charset=UTF-8")
        #expect(begun.json["sessionPtr"]?["u"] == "https://irma.example/irma/session/1")
        #expect(begun.json["frontendRequest"]?["authorization"] == "frontend")
        #expect(!begun.text.contains("requestor"), "the requestor's token is the server's")
        #expect(
            pages.irma.requests.first?.disclose == [[["test.test.mijnirma.email"], ["test.test.login.name"]]]
        )
        #expect(try await browser.post("/checksession").text == "expired")
        #expect(try await browser.get("/user").outcome == "400 INVALID_REQUEST")
        pages.irma.end(disclosing: "alice")
        let checked = try await browser.post("/checksession")
        #expect(checked.status == 200 && checked.text == "ok" && checked.fields[.contentType] == "text/plain")
        #expect(try await browser.get("/user").json["username"] == "alice")
        #expect(try await pages.accounts.account(named: "alice")?.account.lastSeen == pages.time.seconds)
        // The result of the session is not needed any more.
        pages.irma.forget()
        #expect(try await browser.post("/checksession").text == "ok")
    }

    @Test func setsCookiesThatScriptsAndOtherSitesDoNotGet() async throws {
        let cookie = try #require(await browser.post("/login/irma").cookie)
        let parts = cookie.split(separator: ";").map { $0.drop { $0 == " " } }
        #expect(parts.dropFirst() == ["Path=/", "Max-Age=900", "HttpOnly", "Secure", "SameSite=Strict"])
        #expect(parts.first?.hasPrefix("session=") == true && parts.first?.count == 28)
        let plain = Browser(try Pages(usesSecureCookies: false))
        #expect(try await plain.post("/login/irma").cookie?.contains("Secure") == false)
        let left = try await browser.post("/logout")
        #expect(left.status == 204)
        #expect(left.cookie == "session=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Strict")
    }

    /// Two looks at once; the user has logged out when the second one ends.
    @Test func aLateLookLogsNobodyInAgain() async throws {
        try await pages.insert("alice")
        _ = try await browser.post("/login/irma")
        pages.irma.end(disclosing: "alice")
        let (pages, cookie) = (pages, browser.cookie)
        let outcomes = Mutex<[String]>([])
        pages.irma.meanwhile.withLock {
            $0 = {
                let other = Browser(pages, cookie: cookie)
                for path in ["/checksession", "/logout"] {
                    let answer = try? await other.post(path)
                    outcomes.withLock { $0.append("\(answer?.status ?? 0) \(answer?.text ?? "")") }
                }
            }
        }
        #expect(try await browser.post("/checksession").text == "expired")
        #expect(outcomes.withLock { $0 } == ["200 ok", "204 "])
        #expect(try await Browser(pages, cookie: cookie).get("/user").outcome == "400 INVALID_REQUEST")
    }

    @Test func refusesLoginsThatProveNothing() async throws {
        try await pages.insert("alice")
        for (value, proofs) in [("alice", ProofStatus.invalid), ("alice", .expired), (nil, .valid)] {
            _ = try await browser.post("/login/irma")
            pages.irma.end(disclosing: value, proofs: proofs)
            #expect(try await browser.post("/checksession").outcome == "400 INVALID_PROOFS")
            #expect(try await browser.post("/checksession").text == "expired")
        }
        _ = try await browser.post("/login/irma")
        pages.irma.end(disclosing: "nobody")
        #expect(try await browser.post("/checksession").outcome == "403 USER_NOT_REGISTERED")
        _ = try await browser.post("/login/irma")
        pages.irma.end(disclosing: "alice", status: .cancelled)
        #expect(try await browser.post("/checksession").text == "expired")
        pages.irma.forget()
        #expect(try await browser.post("/checksession").outcome == "500 INTERNAL_ERROR")
        #expect(try await browser.get("/user").outcome == "400 INVALID_REQUEST")
    }

    /// Whatever change of the browser's session fails, the next look finds the user logged in.
    @Test(arguments: 1...3) func aStoreThatFailsCostsNoLogin(change: Int) async throws {
        try await pages.insert("alice")
        _ = try await browser.post("/login/irma")
        pages.irma.end(disclosing: "alice")
        pages.sessions.fail(at: change)
        let first = try await browser.post("/checksession")
        #expect(first.text == "ok" || first.outcome == "500 INTERNAL_ERROR")
        pages.sessions.fail(at: 0)
        #expect(try await browser.post("/checksession").text == "ok")
        #expect(try await browser.get("/user").json["username"] == "alice")
    }

    /// An account without secrets can still be seen.
    @Test func logsInToAnAccountThatIsBeingDeleted() async throws {
        try await pages.insert("alice")
        _ = try await pages.accounts.scheduleDeletion(of: "alice", on: pages.time.seconds + 10)
        let browser = try await pages.browser(of: "alice")
        #expect(try await browser.get("/user").json["delete_in_progress"] == true)
    }

    @Test func endsASessionAfterItsTime() async throws {
        try await pages.insert("alice")
        let browser = try await pages.browser(of: "alice")
        pages.time.advance(by: 899)
        // Each use lets it live on.
        #expect(try await browser.get("/user").cookie?.contains("Max-Age=900") == true)
        pages.time.advance(by: 899)
        #expect(try await browser.get("/user/logs/0").status == 200)
        pages.time.advance(by: 900)
        #expect(try await browser.get("/user").outcome == "400 INVALID_REQUEST")
        #expect(try await browser.post("/checksession").text == "expired")
    }

    @Test func endsASessionForGood() async throws {
        try await pages.insert("alice")
        let browser = try await pages.browser(of: "alice")
        let cookie = browser.cookie
        #expect(try await browser.post("/logout").status == 204)
        #expect(browser.cookie == nil)
        let thief = Browser(pages, cookie: cookie)
        #expect(try await thief.get("/user").outcome == "400 INVALID_REQUEST")
        #expect(try await thief.post("/checksession").text == "expired")
        #expect(try await Browser(pages).post("/logout").status == 204)
    }

    @Test(arguments: [nil, "", "short", String(repeating: "a", count: 20), String(repeating: "a", count: 4000)])
    func knowsNoOtherCookies(cookie: String?) async throws {
        let browser = Browser(pages, cookie: cookie)
        #expect(try await browser.post("/checksession").text == "expired")
        for path in ["/user", "/user/logs/0"] { #expect(try await browser.get(path).outcome == "400 INVALID_REQUEST") }
        for path in ["/user/delete", "/email/add", "/email/remove"] {
            #expect(try await Browser(pages, cookie: cookie).post(path, "x").outcome == "400 INVALID_REQUEST")
        }
        #expect(pages.irma.requests.isEmpty)
    }

    // MARK: By e-mail

    private func token() throws -> String {
        let message = try #require(pages.sender.messages.last)
        return String(try #require(message.body.split(separator: "=").last))
    }

    @Test func logsInByEmail() async throws {
        try await pages.insert("alice", "a@example.org")
        try await pages.insert("bob", "a@example.org")
        let sent = try await browser.post("/login/email", ["email": "a@example.org", "language": "nl"])
        #expect(sent.status == 204 && sent.text.isEmpty && sent.cookie == nil)
        let message = try #require(pages.sender.messages.first)
        #expect(message.subject == "nl Log in" && message.body.hasPrefix("https://example.org/#token="))
        let token = try token()
        let candidates = try await browser.post("/login/token/candidates", token)
        #expect(
            candidates.json == [
                ["username": "alice", "last_active": 1000], ["username": "bob", "last_active": 1000],
            ]
        )
        let wrong: JSONValue = ["token": .string(token), "username": "carol"]
        #expect(try await browser.post("/login/token", wrong).outcome == "403 INVALID_TOKEN")
        let right: JSONValue = ["token": .string(token), "username": "bob"]
        #expect(try await browser.post("/login/token", right).status == 204)
        #expect(try await browser.get("/user").json["username"] == "bob")
        #expect(try await pages.accounts.account(named: "bob")?.account.lastSeen == pages.time.seconds)
        #expect(try await Browser(pages).post("/login/token", right).outcome == "403 INVALID_TOKEN")
        #expect(try await Browser(pages).post("/login/token/candidates", token).outcome == "403 INVALID_TOKEN")
    }

    @Test func aLinkWorksAgainWhereTheLoginFails() async throws {
        try await pages.insert("alice", "a@example.org")
        _ = try await browser.post("/login/email", ["email": "a@example.org", "language": "en"])
        let login: JSONValue = ["token": .string(try token()), "username": "alice"]
        pages.sessions.failInsertions(true)
        #expect(try await browser.post("/login/token", login).status == 500)
        pages.sessions.failInsertions(false)
        #expect(try await browser.post("/login/token", login).status == 204)
        #expect(try await browser.get("/user").json["username"] == "alice")
    }

    /// The answer does not tell whether there is an account.
    @Test func doesNotTellWhichAddressesThereAre() async throws {
        try await pages.insert("alice", "a@example.org")
        let known: JSONValue = ["email": "a@example.org", "language": "en"]
        let first = try await browser.post("/login/email", known)
        for json in [known, ["email": "b@example.org", "language": "en"]] {
            let answer = try await browser.post("/login/email", json)
            #expect(answer.status == first.status && answer.text == first.text && answer.fields == first.fields)
        }
        #expect(pages.sender.messages.count == 1)
        pages.time.advance(by: 120)
        _ = try await browser.post("/login/email", known)
        #expect(pages.sender.messages.count == 2)
    }

    @Test func endsATokenAfterAnHour() async throws {
        try await pages.insert("alice", "a@example.org")
        _ = try await browser.post("/login/email", ["email": "a@example.org", "language": "en"])
        pages.time.advance(by: 3600)
        #expect(try await browser.post("/login/token/candidates", try token()).status == 200)
        pages.time.advance(by: 1)
        #expect(try await browser.post("/login/token/candidates", try token()).outcome == "403 INVALID_TOKEN")
    }

    @Test(arguments: ["", "{", "[]", "{}", #"{"email": 1}"#, #"{"language": "en"}"#, #"{"email": "no address"}"#])
    func refusesMalformedRequests(body: String) async throws {
        #expect(try await browser.post("/login/email", body).outcome == "400 INVALID_REQUEST")
        #expect(try await browser.post("/login/token", body).outcome == "400 INVALID_REQUEST")
    }

    @Test func refusesOtherTokens() async throws {
        for token in ["", "x", "a\0b", String(repeating: "x", count: 60_000)] {
            for path in ["/login/token/candidates", "/verify"] {
                #expect(try await browser.post(path, token).outcome == "403 INVALID_TOKEN")
            }
        }
        #expect(try await browser.post("/verify", String(repeating: "x", count: 70_000)).status == 413)
    }

    @Test func saysWhatAServerWithoutEmailLacks() async throws {
        let browser = Browser(try Pages(hasMail: false))
        let answer = try await browser.post("/login/email", ["email": "a@example.org", "language": "en"])
        #expect(answer.outcome == "500 INTERNAL_ERROR" && answer.text.contains("not enabled"))
    }

    @Test func verifiesAnAddressAndLogsIn() async throws {
        try await pages.insert("alice")
        let token = KeyshareEmailToken("abc", for: "a@example.org", expiry: pages.time.seconds)
        try await pages.accounts.insertVerificationToken(token, of: "alice", limit: .verification)
        #expect(try await browser.post("/verify", "abd").outcome == "403 INVALID_TOKEN")
        #expect(try await browser.post("/verify", "abc").status == 204)
        let user = try await browser.get("/user").json
        #expect(user["username"] == "alice")
        #expect(user["emails"]?.arrayValue?.first?["email"] == "a@example.org")
        #expect(try await Browser(pages).post("/verify", "abc").outcome == "403 INVALID_TOKEN")
    }

    @Test func saysThatItIsThere() async throws {
        let answer = try await browser.get("/health")
        #expect(answer.status == 200 && answer.text == "OK")
        try await pages.service.check()
    }
}
