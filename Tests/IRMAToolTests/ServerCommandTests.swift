#if Server && Client && SQLite
import CommandTesting
import CredentialTransport
import Foundation
import HTTPTypes
import IRMATool
import JSONKit
import Testing

/// `irma server` while it runs.
@Suite struct ServerCommandTests {
    private let disk: SchemeOnDisk
    private static let request = """
        {"@context":"https://irma.app/ld/request/disclosure/v2","disclose":[[["demo.bank.card.name"]]]}
        """

    init() async throws {
        disk = try await SchemeOnDisk()
    }

    @Test func servesWalletsAndRequestorsAtOnePort() async throws {
        try await withRunning(
            "server",
            "-s",
            disk.schemes,
            "--schemes-update",
            "0",
            "-p",
            "0",
            "--listen",
            "127.0.0.1",
            "-u",
            "http://127.0.0.1:port"
        ) { server in
            let port = try server.port()
            #expect(server.readyLine.contains("wallets at http://127.0.0.1:\(port)/irma/"))
            #expect(try await LocalHTTP.get(port, "/health") == (200, "OK"))
            let started = try await LocalHTTP.post(port, "/session", Self.request)
            #expect(started.status == 200, "\(started.body)")
            let package = try JSONValue(parsing: Array(started.body.utf8))
            let url = try #require(package["sessionPtr"]?["u"]?.stringValue)
            #expect(url.hasPrefix("http://127.0.0.1:\(port)/irma/session/"))
            let path = String(url.dropFirst("http://127.0.0.1:\(port)".count))
            #expect(try await LocalHTTP.get(port, path + "/status") == (200, "\"INITIALIZED\""))
            // Metrics are for the operator, and this port is for wallets as well.
            #expect(try await LocalHTTP.get(port, "/metrics").status == 404)
        }
    }

    /// A page of another origin can tell that it has to wait.
    @Test func letsScriptsReadTheRefusalOfTheRateLimit() async throws {
        try await withServer(of: disk, "--limits-requests", "1") { url in
            var request = HTTPTransportRequest.get(try HTTPURL(url + "/health"), accepting: .any)
            try request.setField(.origin, "https://shop.example")
            request.acceptedStatuses = AcceptedStatuses(200...599)
            for (status, body) in [(200, "OK"), (429, #""error":"TOO_MANY_REQUESTS""#)] {
                let response = try await LocalHTTP.transport.response(to: request)
                #expect(response.status == status)
                #expect(String(decoding: response.body, as: UTF8.self).contains(body))
                #expect(response.headerFields[.accessControlAllowOrigin] == "*")
                #expect(response.headerFields[.accessControlExposeHeaders] == "Retry-After")
                #expect((response.headerFields[.retryAfter] != nil) == (status == 429))
            }
        }
    }

    /// As in the reference's default.
    @Test func aClientPortOfZeroIsNone() async throws {
        try await withServer(of: disk, "--client-port", "0") { url in
            let port = try #require(url.split(separator: ":").last.flatMap { Int($0) })
            #expect(try await LocalHTTP.get(port, "/health") == (200, "OK"))
            #expect(try await LocalHTTP.get(port, "/irma/session/abcdefghijklmnopqrst/status").status == 400)
        }
    }

    @Test func separatesWalletsFromRequestors() async throws {
        let port = try await freePort(disk)
        try await withRunning(
            "server",
            "-s",
            disk.schemes,
            "--schemes-update",
            "0",
            "-p",
            "0",
            "--listen",
            "127.0.0.1",
            "--client-port",
            "\(port)",
            "--client-listen-addr",
            "127.0.0.1",
            "-u",
            "http://127.0.0.1:port",
            "-a",
            "/api"
        ) { server in
            let requestors = try server.port(behind: "requestors at port ")
            let wallets = try server.port(behind: "irma/, port ")
            #expect(try await LocalHTTP.get(requestors, "/api/health") == (200, "OK"))
            #expect(try await LocalHTTP.get(requestors, "/ready").status == 200)
            let started = try await LocalHTTP.post(requestors, "/api/session", Self.request)
            #expect(started.status == 200, "\(started.body)")
            #expect(try await LocalHTTP.get(requestors, "/metrics").body.contains("route=\"/session\""))
            for path in ["/metrics", "/ready", "/live", "/api/health", "/api/session", "/health"] {
                #expect(try await LocalHTTP.get(wallets, path).status == 404, "\(path)")
            }
            #expect(try await LocalHTTP.get(requestors, "/api/irma/session/abcdefghijklmnopqrst").status == 404)
            #expect(try await LocalHTTP.get(wallets, "/api/irma/session/abcdefghijklmnopqrst/status").status == 400)
        }
    }

    @Test func knowsRequestorsByTheirTokens() async throws {
        let file = try disk.folder.write(
            """
            no_auth: false
            disclose_perms: []
            requestors:
              shop:
                auth_method: token
                key: secret
                disclose_perms: [demo.bank.*]
              other:
                auth_method: token
                key: unrelated
                disclose_perms: []
            """,
            to: "irmaserver.yml"
        )
        try await withRunning(
            "server",
            "-c",
            file,
            "-s",
            disk.schemes,
            "--schemes-update",
            "0",
            "-p",
            "0",
            "-l",
            "127.0.0.1",
            "-u",
            "http://127.0.0.1:port"
        ) { server in
            let port = try server.port()
            #expect(try await LocalHTTP.post(port, "/session", Self.request, token: "secret").status == 200)
            #expect(try await LocalHTTP.post(port, "/session", Self.request, token: "unrelated").status == 403)
            #expect(try await LocalHTTP.post(port, "/session", Self.request, token: "wrong").status == 403)
            #expect(try await LocalHTTP.post(port, "/session", Self.request).status == 400)
        }
    }

    @Test func keepsSessionsInSQLiteOverARestart() async throws {
        let arguments = [
            "server", "-s", disk.schemes, "--schemes-update", "0", "-p", "0", "-l", "127.0.0.1",
            "-u", "http://127.0.0.1:port", "--store-type", "sqlite", "--sqlite-path", disk.folder.path("sessions.db"),
        ]
        let first = try await RunningCommand(arguments)
        let started = try await LocalHTTP.post(try first.port(), "/session", Self.request)
        let token = try #require(try JSONValue(parsing: Array(started.body.utf8))["token"]?.stringValue)
        await first.stop()
        let second = try await RunningCommand(arguments)
        let status = try await LocalHTTP.get(try second.port(), "/session/\(token)/status")
        await second.stop()
        #expect(status == (200, "\"INITIALIZED\""))
    }

    @Test func servesStaticFilesAndNothingBesideThem() async throws {
        try FileManager.default.createDirectory(atPath: disk.folder.path("www/sub"), withIntermediateDirectories: true)
        try disk.folder.write("<p>hello", to: "www/index.html")
        try disk.folder.write("deep", to: "www/sub/a.txt")
        try FileManager.default.createDirectory(atPath: disk.folder.path("www/a b"), withIntermediateDirectories: true)
        try disk.folder.write("page", to: "www/a b/index.html")
        try disk.folder.write("hidden", to: "www/.secret")
        try disk.folder.write("outside", to: "outside.txt")
        try await withRunning(
            "server",
            "-s",
            disk.schemes,
            "--schemes-update",
            "0",
            "-p",
            "0",
            "-l",
            "127.0.0.1",
            "-u",
            "http://127.0.0.1:port",
            "--static-path",
            disk.folder.path("www")
        ) { server in
            let port = try server.port()
            #expect(try await LocalHTTP.get(port, "/") == (200, "<p>hello"))
            #expect(try await LocalHTTP.get(port, "/sub/a.txt") == (200, "deep"))
            #expect(try await LocalHTTP.get(port, "/a%20b/") == (200, "page"))
            let redirect = await #expect(throws: TransportError.self) { try await LocalHTTP.get(port, "/a%20b?x=%31") }
            #expect(redirect?.redirectTarget == "./a%20b/?x=%31")
            #expect(try await LocalHTTP.get(port, "/health") == (200, "OK"))
            for path in ["/.secret", "/sub/../.secret", "/%2e%2e/outside.txt", "/../outside.txt", "/sub"] {
                #expect(try await LocalHTTP.get(port, path).status >= 400, "\(path)")
            }
        }
    }

    @Test(arguments: [("-v", false), ("-vv", false), ("--log-secrets", true)])
    func strikesValuesOutOfTheLog(flag: String, shows: Bool) async throws {
        var arguments = [
            "server", "-s", disk.schemes, "--schemes-update", "0", "-p", "0", "-l", "127.0.0.1",
            "-u", "http://127.0.0.1:port", flag,
        ]
        if shows { arguments.append("-vv") }
        let server = try await RunningCommand(arguments)
        let started = try await LocalHTTP.post(
            try server.port(),
            "/session",
            """
            {"@context":"https://irma.app/ld/request/disclosure/v2",\
            "disclose":[[[{"type":"demo.bank.card.name","value":"Alice-in-clear"}]]]}
            """
        )
        let token = try #require(try JSONValue(parsing: Array(started.body.utf8))["token"]?.stringValue)
        let log = await server.stop().errors
        #expect(log.contains("route=/session"))
        #expect(log.contains("Alice-in-clear") == shows)
        #expect(log.contains(token) == shows)
        // The traffic is there from -vv on, with the names that the protocol defines.
        #expect(log.contains("demo.bank.card.name") == (flag != "-v"), "\(log)")
    }

    @Test func saysWhyItCannotListen() async throws {
        try await withRunning(
            "server",
            "-s",
            disk.schemes,
            "--schemes-update",
            "0",
            "-p",
            "0",
            "-l",
            "127.0.0.1",
            "-u",
            "http://127.0.0.1:port"
        ) { server in
            let second = await Invocation.irma(
                "server",
                "-s",
                disk.schemes,
                "--schemes-update",
                "0",
                "-p",
                "\(try server.port())",
                "-l",
                "127.0.0.1",
                "-u",
                "http://127.0.0.1:port"
            )
            #expect(second.status == 2)
            #expect(second.errors.contains("error:"))
        }
    }
}
#endif
