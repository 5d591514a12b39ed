#if Server && Client && SQLite
import CommandTesting
import CredentialTransport
import Foundation
import JSONKit
import Testing

/// `irma server` as a process: signals and environment variables.
@Suite struct ServerProcessTests {
    private let disk: SchemeOnDisk
    private static let request = """
        {"@context":"https://irma.app/ld/request/disclosure/v2","disclose":[[["demo.bank.card.name"]]]}
        """

    init() async throws {
        disk = try await SchemeOnDisk()
    }

    private var arguments: [String] {
        [
            "server", "-s", disk.schemes, "--schemes-update", "0", "-p", "0", "-l", "127.0.0.1", "-u",
            "http://127.0.0.1:port", "--sse", "--operations-drain-time", "1",
        ]
    }

    /// An event stream ends with the server, not by a broken connection, and the process leaves with 0.
    @Test(arguments: [SIGTERM, SIGINT])
    func endsGracefully(signal: Int32) async throws {
        let server = try await ServerProcess(arguments)
        let port = try server.port()
        let started = try await LocalHTTP.post(port, "/session", Self.request)
        let token = try #require(try JSONValue(parsing: Array(started.body.utf8))["token"]?.stringValue)
        let url = try HTTPURL("http://127.0.0.1:\(port)/session/\(token)/statusevents")
        let stream = try await LocalHTTP.transport.stream(for: .get(url, accepting: .any, limits: .eventStream))
        async let status = server.end(by: signal)
        for try await _ in stream {}
        #expect(await status == 0)
    }

    /// A server without TLS has no certificate to load again.
    @Test func aHangupDoesNotEndIt() async throws {
        let server = try await ServerProcess(arguments)
        server.send(SIGHUP)
        #expect(try await LocalHTTP.get(try server.port(), "/health").body == "OK")
        #expect(await server.end(by: SIGTERM) == 0)
    }

    /// A start may last: it fetches schemes, for one.
    ///
    /// Here it waits for its configuration, whose error then ends it.
    @Test(
        .timeLimit(.minutes(2)),
        arguments: [["server"], ["keyshare", "server"], ["keyshare", "myirmaserver"]]
    )
    func aHangupDoesNotEndItsStart(command: [String]) async throws {
        let pipe = disk.folder.path("pipe.yml")
        try #require(mkfifo(pipe, 0o600) == 0)
        let (status, errors) = try await ServerProcess.run(command + ["-c", pipe]) { process in
            let writer = try await Self.writer(of: pipe)
            // With a reader of its own, the pipe of a process that has ended can be written.
            let reader = open(pipe, O_RDONLY | O_NONBLOCK)
            defer { close(reader) }
            kill(process, SIGHUP)
            try writer.write(contentsOf: Data("unheard-of: 1\n".utf8))
            try writer.close()
        }
        #expect(status == 2)
        #expect(errors.contains("unheard-of"), "\(errors)")
    }

    /// Opens a pipe once somebody reads it.
    private static func writer(of pipe: String) async throws -> FileHandle {
        let descriptor = await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: open(pipe, O_WRONLY)) }
        }
        try #require(descriptor >= 0)
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    @Test func takesItsSettingsFromVariables() async throws {
        let variables = [
            "IRMASERVER_SCHEMES_PATH": disk.schemes, "IRMASERVER_SCHEMES_UPDATE": "0", "IRMASERVER_PORT": "0",
            "IRMASERVER_LISTEN_ADDR": "127.0.0.1", "IRMASERVER_URL": "http://127.0.0.1:port/from-variable",
            "IRMASERVER_NO_AUTH": "false",
            "IRMASERVER_REQUESTORS": #"{"shop": {"auth_method": "token", "key": "secret"}}"#,
            // What Kubernetes sets for a service of this name is none of the server's business.
            "IRMASERVER_SERVICE_HOST": "10.0.0.1", "IRMASERVER_PORT_8088_TCP_ADDR": "10.0.0.1",
        ]
        let file = try disk.folder.write("url: http://127.0.0.1:port/from-file\nport: 70\n", to: "irmaserver.yml")
        let server = try await ServerProcess(["server", "-c", file], environment: variables)
        #expect(server.readyLine.contains("/from-variable/irma/"), "\(server.readyLine)")
        let port = try server.port()
        #expect(try await LocalHTTP.post(port, "/session", Self.request).status == 400)
        #expect(try await LocalHTTP.post(port, "/session", Self.request, token: "secret").status == 200)
        #expect(await server.end(by: SIGTERM) == 0)
        // Flags come before variables.
        let flag = ["server", "-c", file, "-u", "http://127.0.0.1:port/from-flag"]
        let flagged = try await ServerProcess(flag, environment: variables)
        #expect(flagged.readyLine.contains("/from-flag/irma/"), "\(flagged.readyLine)")
        #expect(await flagged.end(by: SIGTERM) == 0)
    }

    /// A process with the keys finds the session of the one before, one with another key does not.
    @Test func sealsTheSessionsOfAFile() async throws {
        let keys = (1...3).map { Data(repeating: $0, count: 32).base64EncodedString() }
        func serve(_ keys: [String], _ body: (Int) async throws -> Void) async throws {
            let server = try await ServerProcess(
                arguments + ["--store-type", "sqlite", "--sqlite-path", disk.folder.path("sessions.db")],
                environment: ["IRMASERVER_STORE_KEYS": keys.joined(separator: "\n")]
            )
            try await body(try server.port())
            #expect(await server.end(by: SIGTERM) == 0)
        }
        var token = ""
        try await serve([keys[0]]) { port in
            let started = try await LocalHTTP.post(port, "/session", Self.request)
            token = try #require(try JSONValue(parsing: Array(started.body.utf8))["token"]?.stringValue)
        }
        try await serve([keys[1], keys[0]]) { port in
            let answer = try await LocalHTTP.get(port, "/session/\(token)/status")
            #expect(answer.status == 200, "\(answer.body)")
        }
        try await serve([keys[2]]) { port in
            let answer = try await LocalHTTP.get(port, "/session/\(token)/status")
            #expect(answer.status == 400, "\(answer.body)")
        }
        let database = try Data(contentsOf: URL(fileURLWithPath: disk.folder.path("sessions.db")))
        #expect(database.range(of: Data(token.utf8)) == nil)
        #expect(database.range(of: Data("bank.card".utf8)) == nil)
    }

    @Test(arguments: [("IRMASERVER_PROT", "1"), ("IRMASERVER_PORT", "x"), ("IRMASERVER_STORE_TYPE", "mysql")])
    func refusesFaultyVariables(name: String, value: String) async throws {
        let (status, errors) = try await ServerProcess.run(
            ["server", "check", "-s", disk.schemes],
            environment: [name: value]
        )
        #expect(status == 2)
        #expect(errors.contains(name) || errors.contains(name.dropFirst(11).lowercased()), "\(errors)")
    }
}
#endif
