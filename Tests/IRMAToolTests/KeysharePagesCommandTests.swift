#if Server && Client && SQLite && SMTP
import CommandTesting
import CryptoCore
import Foundation
import IRMAMessages
import JSONKit
import MailTesting
import Testing

@testable import IRMATool

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// `irma keyshare server`, `myirmaserver` and `tasks` over one file of accounts, with e-mail.
@Suite(.timeLimit(.minutes(3))) struct KeysharePagesCommandTests {
    private static let signingKey = Result { try PrivateKey.generateRSA(bits: 2048) }
    private let key: PrivateKey
    private let disk: SchemeOnDisk

    init() async throws {
        key = try Self.signingKey.get()
        disk = try await SchemeOnDisk(keyshare: ("http://127.0.0.1:1", key.publicKey))
        try disk.folder.write(key.pem, to: "kss.pem")
        try disk.folder.write("link: {{.VerificationURL}}{{.TokenURL}}{{.Delay}}", to: "mail.html")
        let storageKey = Data([1, 0, 0, 0] + [UInt8](repeating: 5, count: 32))
        try storageKey.write(to: URL(fileURLWithPath: disk.folder.path("storage.key")))
    }

    private func serving(_ command: String) -> [String] {
        [
            "keyshare", command, "-s", disk.schemes, "--schemes-update", "0", "-p", "0", "-l", "127.0.0.1", "-u",
            "http://127.0.0.1:port",
        ] + accounts
    }

    private var accounts: [String] { ["--db-type", "sqlite", "--db-str", disk.folder.path("accounts.db")] }

    private var keyshare: [String] {
        serving("server") + [
            "--jwt-privkey-file", disk.folder.path("kss.pem"), "--storage-primary-key-file",
            disk.folder.path("storage.key"), "--keyshare-attribute", "demo.bank.card.name", "--allow-unsigned-messages",
        ]
    }

    private var pages: [String] {
        serving("myirmaserver") + [
            "--keyshare-attributes", "demo.bank.card.name", "--email-attributes", "demo.bank.card.name",
            "--cors-allowed-origins", "https://my.example",
        ]
    }

    /// The flags of a mail server and of one e-mail.
    private func mail(_ address: String, _ names: String...) -> [String] {
        let texts = names.flatMap { name -> [String] in
            let file = "{\"en\": \"\(disk.folder.path("mail.html"))\"}"
            return ["--\(name)-files", file, "--\(name)-subjects", "{\"en\": \"x\"}"]
        }
        return ["--email-server", address, "--email-from", "IRMA <irma@example.org>"] + texts
    }

    /// Has no cookies of its own: those of the shared one belong to a host, whatever the port, so to other tests' servers too.
    private static let browser: URLSession = {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.timeoutIntervalForRequest = 600
        return URLSession(configuration: configuration)
    }()

    /// Requests of a browser, with its cookie.
    private func request(
        _ method: String,
        _ port: Int,
        _ path: String,
        _ body: String = "",
        cookie: String? = nil
    ) async throws -> (status: Int, body: String, cookie: String?) {
        var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(port)\(path)")))
        request.httpMethod = method
        if method == "POST" { request.httpBody = Data(body.utf8) }
        if let cookie { request.setValue(cookie, forHTTPHeaderField: "Cookie") }
        let (data, response) = try await Self.browser.data(for: request)
        let answer = try #require(response as? HTTPURLResponse)
        let field = answer.value(forHTTPHeaderField: "Set-Cookie")?.split(separator: ";").first.map(String.init)
        return (answer.statusCode, String(decoding: data, as: UTF8.self), field)
    }

    private func post(
        _ port: Int,
        _ path: String,
        _ body: String = "",
        cookie: String? = nil
    ) async throws -> (status: Int, body: String, cookie: String?) {
        try await request("POST", port, path, body, cookie: cookie)
    }

    private func user(_ port: Int, cookie: String) async throws -> String {
        try await request("GET", port, "/user", cookie: cookie).body
    }

    @Test func verifiesAnAddressShowsItAndTellsBeforeDeletion() async throws {
        let mailServer = try await PlaySMTPServer()
        let flags =
            mail(mailServer.address, "registration-email")
            + ["--verification-url", "{\"en\": \"https://my.example/\"}"]
        let server = try await RunningCommand(keyshare + flags)
        let pin = Data(repeating: 7, count: 32).base64EncodedString() + "\\n"
        let body = #"{"pin": "\#(pin)", "email": "a@example.org", "language": "en"}"#
        let enrolled = try await LocalHTTP.post(server.port(), "/client/register", body)
        #expect(enrolled.status == 200, "\(enrolled.body)")
        await server.stop()
        #expect(mailServer.lines.contains("RCPT TO:<a@example.org>"))
        let link = try #require(mailServer.bodies.last)
        let token = try #require(link.split(separator: "/").last.map(String.init))
        #expect(link == "link: https://my.example/\(token)" && token.utf8.count == 20)

        let pages = try await RunningCommand(pages)
        let verified = try await post(pages.port(), "/verify", token)
        #expect(verified.status == 204, "\(verified.body)")
        let shown = try await user(pages.port(), cookie: try #require(verified.cookie))
        #expect(shown.contains("\"email\":\"a@example.org\""), "\(shown)")
        #expect(try await post(pages.port(), "/verify", token).status == 403)
        await pages.stop()

        let tasks = ["keyshare", "tasks"] + accounts + mail(mailServer.address, "expired-email")
        let none = await Invocation.run(IRMATool.self, tasks, now: SchemeOnDisk.now)
        #expect(none.status == 0 && none.output.contains("0 users"), "\(none.output)\(none.errors)")
        let later = SchemeOnDisk.now.addingTimeInterval(366 * 86_400)
        let told = await Invocation.run(IRMATool.self, tasks, now: later)
        #expect(told.status == 0 && told.output.contains("1 users"), "\(told.output)\(told.errors)")
        #expect(mailServer.bodies.last == "link: 30")
        try await mailServer.stop()
        let unreachable = await Invocation.run(IRMATool.self, tasks, now: later)
        #expect(unreachable.status == 2 && unreachable.errors.contains("email_server"))
    }

    @Test func logsInWithAWallet() async throws {
        let server = try await RunningCommand(keyshare)
        let place = try await SchemeOnDisk(keyshare: ("http://127.0.0.1:\(try server.port())", key.publicKey))
        let enrolled = await place.wallet(["enrol", "demo"], input: ["12345"])
        #expect(enrolled.status == 0, "\(enrolled.errors)")
        var arguments = pages
        if let position = arguments.firstIndex(of: disk.schemes) { arguments[position] = place.schemes }
        let pages = try await RunningCommand(arguments)
        let begun = try await post(pages.port(), "/login/irma")
        let cookie = try #require(begun.cookie)
        #expect(try await post(pages.port(), "/checksession", cookie: cookie).body == "expired")
        let pointer = try #require(try JSONValue(parsing: Array(begun.body.utf8))["sessionPtr"])
        let shown = await place.wallet(["session", pointer.text(.compact), "--yes"], input: ["12345"])
        #expect(shown.status == 0, "\(shown.errors)")
        let checked = try await post(pages.port(), "/checksession", cookie: cookie)
        #expect(checked.body == "ok", "\(checked.status) \(checked.body)")
        let account = try await user(pages.port(), cookie: cookie)
        #expect(account.contains("\"delete_in_progress\":false"), "\(account)")
        #expect(try await post(pages.port(), "/user/delete", cookie: cookie).status == 204)
        await pages.stop()
        // The account is of no use any more.
        let refused = await place.wallet(["change-pin", "demo"], input: ["12345", "54321"])
        #expect(refused.status == 2, "\(refused.output)")
        await server.stop()
    }

    @Test func servesThePagesFromAFolder() async throws {
        let folder = disk.folder.path("pages")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try disk.folder.write("<p>pages</p>", to: "pages/index.html")
        let pages = try await RunningCommand(pages + ["--static-path", folder])
        #expect(try await LocalHTTP.get(pages.port(), "/") == (200, "<p>pages</p>"))
        #expect(try await LocalHTTP.get(pages.port(), "/health") == (200, "OK"))
        await pages.stop()
    }

    @Test(arguments: [
        (["--keyshare-attributes", "demo.bank.card.no"], "keyshare_attributes"),
        (["--email-attributes", ""], "email_attributes"),
        (["--cors-allowed-origins", "https://x.example/path"], "https://x.example/path"),
        (["--cors-allowed-origins", "https://my.example,*"], "stands alone"),
        (["--session-lifetime", "0"], "session_lifetime"), (["--delete-delay", "-1"], "delete_delay"),
        (["--static-path", "/missing"], "static_path"), (["--email-server", "localhost:1"], "email_from"),
        (["--db-type", "memory", "--production"], "db_type: production mode"),
    ])
    func refusesFaultySettings(flags: [String], expected: String) async {
        var arguments = pages
        if let position = arguments.firstIndex(of: flags[0]) { arguments.removeSubrange(position...position + 1) }
        let refused = await Invocation.run(IRMATool.self, arguments + flags, now: SchemeOnDisk.now)
        #expect(refused.status == 2)
        #expect(refused.errors.contains(expected), "\(refused.errors)")
    }

    @Test func refusesFaultyTemplatesAtTheStart() async throws {
        let mailServer = try await PlaySMTPServer()
        try disk.folder.write("{{if .Email}}x{{end}}", to: "other.html")
        let link = ["--verification-url", "{\"en\": \"https://my.example/\"}"]
        let good = mail(mailServer.address, "registration-email") + link
        func replacing(_ flag: String, _ value: String) -> [String] {
            var flags = good
            if let position = flags.firstIndex(of: flag) { flags[position + 1] = value }
            return flags
        }
        let cases = [
            (replacing("--registration-email-files", "{\"en\": \"\(disk.folder.path("other.html"))\"}"), "if .Email"),
            (replacing("--registration-email-files", "{\"en\": \"/missing\"}"), "/missing"),
            (replacing("--registration-email-files", "{\"nl\": \"\(disk.folder.path("mail.html"))\"}"), "_email_files"),
            (replacing("--registration-email-subjects", "{\"en\": 1}"), "registration_email_subjects"),
            (replacing("--verification-url", "{\"nl\": \"x\"}"), "verification_url"),
            (replacing("--email-server", "mail"), "server"),
            (replacing("--email-server", "mail.example.org:25") + ["--email-username", "u"], "hostname"),
        ]
        for (flags, expected) in cases {
            let refused = await Invocation.run(IRMATool.self, keyshare + flags, now: SchemeOnDisk.now)
            #expect(refused.status == 2 && refused.errors.contains(expected), "\(expected): \(refused.errors)")
        }
        try await mailServer.stop()
    }

    @Test func tasksNeedAccountsThatLast() async {
        let refused = await Invocation.irma("keyshare", "tasks", "--db-type", "memory")
        #expect(refused.status == 2 && refused.errors.contains("db_type"))
    }

    /// A page of another origin learns that it has to wait.
    @Test func letsPagesReadTheRefusalsOfTheLimit() async throws {
        let pages = try await RunningCommand(pages + ["--limits-requests", "1"])
        var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(try pages.port())/user")))
        request.setValue("https://my.example", forHTTPHeaderField: "Origin")
        var answer: HTTPURLResponse?
        for _ in 0..<2 { answer = try await Self.browser.data(for: request).1 as? HTTPURLResponse }
        #expect(answer?.statusCode == 429)
        #expect(answer?.value(forHTTPHeaderField: "Access-Control-Allow-Origin") == "https://my.example")
        #expect(answer?.value(forHTTPHeaderField: "Access-Control-Allow-Credentials") == "true")
        await pages.stop()
    }

    /// Scripts of every origin get what needs no cookie; those of origins that are named by a pattern, the rest as well.
    @Test(arguments: [("*", "*", nil), ("https://*.example", "https://other.example", "true")])
    func takesPagesOfOtherOrigins(allowed: String, origin: String, credentials: String?) async throws {
        var arguments = pages
        if let position = arguments.firstIndex(of: "--cors-allowed-origins") { arguments[position + 1] = allowed }
        let pages = try await RunningCommand(arguments)
        var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(try pages.port())/health")))
        request.setValue("https://other.example", forHTTPHeaderField: "Origin")
        let answer = try await Self.browser.data(for: request).1 as? HTTPURLResponse
        #expect(answer?.statusCode == 200)
        #expect(answer?.value(forHTTPHeaderField: "Access-Control-Allow-Origin") == origin)
        #expect(answer?.value(forHTTPHeaderField: "Access-Control-Allow-Credentials") == credentials)
        await pages.stop()
    }

    /// With them, files of the reference's tasks are read.
    @Test func tasksTakeTheKeysOfALog() async throws {
        try disk.folder.write("verbose: 1\nlog-json: true\n", to: "keysharetasks.yml")
        let file = ["--config", disk.folder.path("keysharetasks.yml")]
        let loud = await Invocation.run(IRMATool.self, ["keyshare", "tasks"] + accounts + file, now: SchemeOnDisk.now)
        #expect(loud.status == 0 && loud.output.contains("log_json = true"), "\(loud.output)\(loud.errors)")
        let quiet = await Invocation.run(IRMATool.self, ["keyshare", "tasks", "-q"] + accounts, now: SchemeOnDisk.now)
        #expect(quiet.status == 0 && quiet.output.isEmpty, "\(quiet.output)\(quiet.errors)")
    }

    @Test(arguments: ["myirmaserver", "tasks"]) func namesItsKeysInItsHelp(command: String) async {
        let help = await Invocation.irma("keyshare", command, "--help")
        #expect(help.status == 0)
        let names =
            command == "tasks"
            ? ["expiry-delay", "delete-delay", "expired-email-files", "email-server", "db-str"]
            : ["login-url", "login-email-files", "delete-account-subjects", "cors-allowed-origins", "email-password"]
        for name in names { #expect(help.output.contains("--\(name) "), "\(name)") }
    }
}
#endif
