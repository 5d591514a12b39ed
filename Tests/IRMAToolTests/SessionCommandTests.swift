#if Server && Client && SQLite
import CommandTesting
import CryptoCore
import Foundation
import IRMAMessages
import IRMATool
import IdemixCore
import JOSEKit
import JSONKit
import Testing

/// `irma request`, `irma session` and `irma wallet` together.
@Suite struct SessionCommandTests {
    private let disk: SchemeOnDisk

    init() async throws {
        disk = try await SchemeOnDisk()
    }

    private func wallet(_ arguments: String..., input: [String] = []) async -> Invocation {
        await disk.wallet(arguments, input: input)
    }

    /// Starts `irma session` in this process.
    private func session(_ arguments: String...) async throws -> RunningCommand {
        try await RunningCommand(
            ["session"] + arguments + [
                "-s", disk.schemes, "--disable-schemes-update", "--noqr", "-p", "0", "--listen", "127.0.0.1",
                "-u", "http://127.0.0.1:port",
            ]
        )
    }

    // MARK: Requests

    @Test func makesARequestOfFlags() async throws {
        let disclosing = await Invocation.irma("request", "--disclose", "demo.bank.card.name", "-s", disk.schemes)
        #expect(disclosing.status == 0, "\(disclosing.errors)")
        let request = try SessionRequest(decoding: Array(disclosing.output.utf8))
        #expect(request.disclose == [[["demo.bank.card.name"]]])
        let signing = await Invocation.irma(
            "request",
            "--sign",
            "demo.bank.card.name",
            "--message",
            "hello",
            "-s",
            disk.schemes
        )
        #expect(try SessionRequest(decoding: Array(signing.output.utf8)).message == "hello")
        let issuing = await Invocation.irma("request", "--issue", "demo.bank.card=Alice", "-s", disk.schemes)
        let credential = try #require(try SessionRequest(decoding: Array(issuing.output.utf8)).credentials.first)
        #expect(credential.attributes == ["name": "Alice"])
    }

    @Test func readsARequestFromAFile() async throws {
        let made = await Invocation.irma("request", "--disclose", "demo.bank.card.name", "-s", disk.schemes)
        let file = try disk.folder.write(made.output, to: "request.json")
        let read = await Invocation.irma("request", "--request", file, "-s", disk.schemes)
        #expect(read.status == 0 && read.output == made.output, "\(read.errors)")
    }

    @Test(arguments: [
        [], ["--disclose", "demo.bank.card.other"], ["--disclose", "x"], ["--sign", "demo.bank.card.name"],
        ["--message", "x"], ["--sign", "demo.bank.card.name", "--message", "x", "--disclose", "demo.bank.card.name"],
        ["--issue", "demo.bank.card"], ["--issue", "demo.bank.card=a,b"], ["--issue", "demo.bank.no=a"],
        ["--issue", "demo.bank.card=a", "--revocation-key", "x"],
        ["--disclose", "demo.bank.card.name", "--revocation-key", "x"],
        ["--request", "{}"], ["--request", "x"], ["--request", "{}", "--disclose", "demo.bank.card.name"],
        ["--disclose", "demo.bank.card.name", "-a", "hmac", "--name", "x"],
        ["--disclose", "demo.bank.card.name", "-a", "hmac", "--key", "c2hvcnQ="],
        ["--disclose", "demo.bank.card.name", "-a", "hmac", "--name", "x", "--key", "c2hvcnQ="],
        ["--disclose", "demo.bank.card.name", "-a", "rsa", "--name", "x", "--key", "c2hvcnQ="],
        ["--disclose", "demo.bank.card.name", "--key", "x"],
    ])
    func refusesAFaultyRequest(flags: [String]) async {
        let refused = await Invocation.run(
            IRMATool.self,
            ["request", "-s", disk.schemes] + flags,
            now: SchemeOnDisk.now
        )
        #expect(refused.status == 2, "\(refused.output)")
        #expect(!refused.errors.isEmpty)
    }

    /// Flags are looked at before schemes are fetched.
    @Test(arguments: ["request", "session"])
    func asksForARequestFirst(command: String) async {
        let refused = await Invocation.irma(command, "-s", disk.folder.path("missing"))
        #expect(refused.status == 2)
        #expect(refused.errors.contains("--request"), "\(refused.errors)")
    }

    @Test func signsARequest() async throws {
        let key = Data(repeating: 1, count: 32).base64EncodedString()
        let signed = await Invocation.irma(
            "request",
            "--disclose",
            "demo.bank.card.name",
            "-s",
            disk.schemes,
            "-a",
            "hmac",
            "--key",
            key,
            "--name",
            "shop"
        )
        #expect(signed.status == 0, "\(signed.errors)")
        let token = try JWT(compact: signed.output)
        let verified = try token.verify(
            with: .symmetric(SecretBytes([UInt8](repeating: 1, count: 32))),
            policy: [.hs256],
            claims: JWTClaimsPolicy(issuers: ["shop"], audience: .any),
            at: SchemeOnDisk.now
        ).get()
        let claims = try RequestorTokenClaims(json: .object(verified.claims.members))
        #expect(claims.issuedAt == Int64(SchemeOnDisk.now.timeIntervalSince1970))

        let short = await Invocation.irma(
            "request",
            "--disclose",
            "demo.bank.card.name",
            "-s",
            disk.schemes,
            "-a",
            "hmac",
            "--key",
            "c2hvcnQ=",
            "--name",
            "shop",
            "--allow-short-key"
        )
        #expect(short.status == 0, "\(short.errors)")
        let pem = try disk.folder.write(try PrivateKey.generateRSA(bits: 2048).pem, to: "key.pem")
        let rsa = await Invocation.irma(
            "request",
            "--disclose",
            "demo.bank.card.name",
            "-s",
            disk.schemes,
            "-a",
            "rsa",
            "--key",
            pem,
            "--name",
            "a"
        )
        #expect(rsa.status == 0, "\(rsa.errors)")
    }

    @Test func takesAKeyThatBeginsWithDashes() async throws {
        let key = try PrivateKey.generateRSA(bits: 2048)
        let request = ["request", "--disclose", "demo.bank.card.name", "-s", disk.schemes, "--name", "shop"]
        for keyFlags in [["--key", key.pem], ["--key=\(key.pem)"]] {
            let signed = await Invocation.run(IRMATool.self, request + ["-a", "rsa"] + keyFlags, now: SchemeOnDisk.now)
            #expect(signed.status == 0, "\(signed.errors)")
            let verified = try JWT(compact: signed.output).verify(
                with: .publicKey(key.publicKey),
                policy: [.rs256],
                claims: JWTClaimsPolicy(issuers: ["shop"], audience: .any),
                at: SchemeOnDisk.now
            )
            #expect(verified.verified != nil)
        }
    }

    @Test func serversTakeAKeyThatBeginsWithDashes() async throws {
        let pem = try PrivateKey.generateRSA(bits: 2048).pem
        for flags in [["--jwt-privkey", pem], ["--jwt-privkey=\(pem)"]] {
            let checked = await Invocation.run(
                IRMATool.self,
                ["server", "check", "-s", disk.schemes] + flags,
                now: SchemeOnDisk.now
            )
            #expect(checked.status == 0, "\(checked.errors)")
        }
    }

    /// Messages about a command line repeat words of it.
    @Test func errorsShowNoKey() async throws {
        let pem = try PrivateKey.generateRSA(bits: 2048).pem
        let broken = pem.replacing("MII", with: "M!!")
        let lines = pem.split(separator: "\n").map(String.init)
        let cut = pem.split { " \n".contains($0) }.map(String.init)
        let token = "hunter2-planted-token"
        let request = ["request", "--disclose", "demo.bank.card.name", "-s", disk.schemes, "--name", "shop"]
        let session = ["session", "--disclose", "demo.bank.card.name", "-s", disk.schemes, "--disable-schemes-update"]
        let cases: [[String]] = [
            request + ["-a", "rsa", "--key", broken], request + ["-a", "rsa", "--key"] + cut,
            request + ["-a", "rsa", "--key=\(cut[0])"] + cut.dropFirst(), request + ["-a", "rsa", "--key"] + lines,
            request + ["-a", "rsa", "--kye", pem], request + ["-a", "rsa", pem], request + ["--key", pem],
            request + ["-a", "hmac", "--key", pem], request + ["-a", "rsa", "--key", token],
            request + ["-a", "token", "--key", token, token],
            request + ["-a", "token", "--no=\(token)", "--key=\(token)"],
            session + ["-a", "token", "--key", token], session + ["-a", "rsa", "--key", pem],
            ["server", "check", "-s", disk.schemes, "--jwt-privkye", pem],
            ["server", "check", "-s", disk.schemes, "--jwt-privkey", broken],
            ["server", "check", "-s", disk.schemes, "--jwt-privkey"] + cut, ["server", "check", pem],
            ["keyshare", "server", "--jwt-privkye", pem], ["keyshare", pem], [pem],
            ["scheme", "issuer", "revoke", "demo.bank.pass", "x", "http://127.0.0.1:1", "-a", "rsa", "--key"] + cut,
        ]
        let secrets = (lines.dropFirst().dropLast() + [token]).map { $0.prefix(40) }.filter { $0.utf8.count > 8 }
        for (position, arguments) in cases.enumerated() {
            let refused = await Invocation.run(IRMATool.self, arguments, now: SchemeOnDisk.now)
            let shown = refused.errors + refused.output
            let isSecretShown = secrets.contains { shown.contains($0) }
            #expect(refused.status == 2 && !refused.errors.isEmpty && !isSecretShown, "\(position)")
        }
    }

    // MARK: Sessions

    @Test func issuesAndShows() async throws {
        let issuing = try await session("--issue", "demo.bank.card=Alice")
        let issued = await wallet("session", issuing.readyLine, "--yes")
        #expect(issued.status == 0, "\(issued.errors)")
        #expect(issued.output.contains("demo.bank.card.name: Alice"))
        let issuingResult = await issuing.end()
        #expect(issuingResult.status == 0, "\(issuingResult.errors)")
        #expect(issuingResult.output.contains("\"status\": \"DONE\""))

        let list = await wallet("list")
        #expect(list.output.contains("type: demo.bank.card"))
        let id = try #require(list.output.ranges(of: "id: ").first.map { list.output[$0.upperBound...].prefix(16) })
        #expect(await wallet("show", String(id)).output.contains("name: Alice"))

        let disclosing = try await session("--disclose", "demo.bank.card.name", "-v")
        let shown = await wallet("session", disclosing.readyLine, input: ["y"])
        #expect(shown.status == 0, "\(shown.errors)")
        let disclosed = await disclosing.end()
        #expect(disclosed.status == 0, "\(disclosed.errors)")
        #expect(disclosed.output.contains("\"rawvalue\": \"Alice\""))
        #expect(disclosed.errors.contains("status: CONNECTED"))

        // A signature has a timestamp, and this scheme names no server for it.
        let signing = try await session("--sign", "demo.bank.card.name", "--message", "hello")
        let refused = await wallet("session", signing.readyLine, "-y")
        #expect(refused.status == 2)
        #expect(refused.errors.contains("timestamp"))
        #expect(await signing.end().output.contains("CANCELLED"))

        let log = await wallet("log")
        #expect(log.output.contains("kind: disclosing") && log.output.contains("kind: issuing"))
        #expect(await wallet("delete", String(id)).status == 0)
        #expect(await wallet("list").output.contains("credentials: none"))
        let missing = await wallet("show", String(id))
        #expect(missing.status == 2)
    }

    /// The requestor is the user of the command, so that nobody else can send a result to the URL.
    @Test func aSessionOfItsOwnMayHaveACallback() async throws {
        let request = """
            {"callbackUrl": "http://127.0.0.1:1/result", "request": {"@context": \
            "https://irma.app/ld/request/issuance/v2", "credentials": [{"credential": "demo.bank.card", \
            "attributes": {"name": "Alice"}}]}}
            """
        let session = try await session("--request", request)
        let wallet = await wallet("session", session.readyLine, "--yes")
        #expect(wallet.status == 0, "\(wallet.errors)")
        #expect(await session.end().status == 0)
    }

    @Test func followsASessionOfAServer() async throws {
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
            "--sse",
            "-u",
            "http://127.0.0.1:port"
        ) { server in
            let base = "http://127.0.0.1:\(try server.port())"
            let issuing = try await RunningCommand([
                "session", "--server", base, "--issue", "demo.bank.card=Bob", "-s", disk.schemes,
                "--disable-schemes-update", "--noqr",
            ])
            #expect(await wallet("session", issuing.readyLine, "--yes").status == 0)
            #expect(await issuing.end().status == 0)
            let signed = try await RunningCommand([
                "session", "--server", base, "--disclose", "demo.bank.card.name", "-s", disk.schemes,
                "--disable-schemes-update", "--noqr", "--json",
            ])
            #expect(await wallet("session", signed.readyLine, "--yes").status == 0)
            let result = await signed.end()
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.output.contains("\"rawvalue\":\"Bob\""))
        }
    }

    @Test func letsTheUserCompareACode() async throws {
        let issuing = try await RunningCommand(
            [
                "session", "--issue", "demo.bank.card=Alice", "--pairing", "-s", disk.schemes,
                "--disable-schemes-update", "--noqr", "-p", "0", "--listen", "127.0.0.1",
                "-u", "http://127.0.0.1:port",
            ],
            input: [""]
        )
        let issued = await wallet("session", issuing.readyLine, "--yes")
        #expect(issued.status == 0, "\(issued.errors)")
        let result = await issuing.end()
        #expect(result.status == 0, "\(result.errors)")
        let code = try #require(
            result.output.ranges(of: "Pairing code: ").first.map { result.output[$0.upperBound...].prefix(4) }
        )
        #expect(issued.errors.contains("Type this code in the browser: \(code)"))
    }

    @Test func endsWhenTheUserComparesNoCode() async throws {
        // The input is at its end, as if the user had pressed Ctrl-C.
        let issuing = try await session("--issue", "demo.bank.card=Alice", "--pairing")
        #expect(await wallet("session", issuing.readyLine, "--yes").status == 2)
        #expect(await issuing.end().status == 2)
    }

    @Test func followsASessionThatWasStartedElsewhere() async throws {
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
            "--sse",
            "-u",
            "http://127.0.0.1:port"
        ) { server in
            let request = """
                {"@context":"https://irma.app/ld/request/issuance/v2",\
                "credentials":[{"credential":"demo.bank.card","attributes":{"name":"Alice"}}]}
                """
            let started = try await LocalHTTP.post(try server.port(), "/session", request)
            let command = try await RunningCommand(["session", "--from-package", started.body, "--noqr", "--json"])
            #expect(await wallet("session", command.readyLine, "--yes").status == 0)
            let result = await command.end()
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.output.contains("\"status\":\"DONE\""))
        }
    }

    @Test func endsWhenTheUserDeclines() async throws {
        let issuing = try await session("--issue", "demo.bank.card=Alice")
        let declined = await wallet("session", issuing.readyLine, input: ["n"])
        #expect(declined.status == 1)
        let result = await issuing.end()
        #expect(result.status == 1)
        #expect(result.output.contains("CANCELLED"))
    }

    @Test func endsWhenTheWalletHasNothingToShow() async throws {
        let disclosing = try await session("--disclose", "demo.bank.card.name")
        let refused = await wallet("session", disclosing.readyLine, "--yes")
        #expect(refused.status == 2)
        #expect(refused.errors.contains("demo.bank.card.name"))
        #expect(await disclosing.end().status == 1)
    }

    @Test func cancelsWhenItIsInterrupted() async throws {
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
            "--sse",
            "-u",
            "http://127.0.0.1:port"
        ) { server in
            let port = try server.port()
            let command = try await RunningCommand([
                "session", "--server", "http://127.0.0.1:\(port)", "--disclose", "demo.bank.card.name", "-s",
                disk.schemes, "--disable-schemes-update", "--noqr",
            ])
            let url = try SessionPointer(scanned: command.readyLine).url
            let ended = await command.stop()
            #expect(ended.status == 2)
            let path = String(url.dropFirst("http://127.0.0.1:\(port)".count))
            #expect(try await LocalHTTP.get(port, path + "/status").body == "\"CANCELLED\"")
        }
    }

    @Test func showsAStaticSession() async throws {
        let shown = await Invocation.irma(
            "session",
            "--static-server",
            "https://a.example",
            "--static-name",
            "door",
            "--noqr"
        )
        #expect(shown.status == 0)
        let pointer = try SessionPointer(scanned: shown.output)
        #expect(pointer.url == "https://a.example/irma/session/door")
        #expect(pointer.isRedirect)
        let code = await Invocation.irma("session", "--static-server", "https://a.example", "--static-name", "door")
        #expect(code.output.contains("█"))
    }

    @Test(arguments: [
        ["--server", "http://127.0.0.1:1", "-u", "http://a.example"], ["--static-server", "https://a.example"],
        ["--static-name", "x"], ["--static-server", "x", "--static-name", "y", "--server", "z"],
        ["--auth-method", "token", "--key", "x", "--disclose", "demo.bank.card.name"], ["--from-package", "{}"],
        ["--disclose", "demo.bank.card.name", "--server", "not a url", "--disable-schemes-update"],
    ])
    func refusesFlagsThatDoNotGoTogether(flags: [String]) async {
        let refused = await Invocation.run(
            IRMATool.self,
            ["session", "-s", disk.schemes] + flags,
            now: SchemeOnDisk.now
        )
        #expect(refused.status == 2, "\(refused.output)")
    }

    // MARK: Wallets

    @Test func opensAWalletWithoutASchemeThatIsDamaged() async throws {
        let index = URL(fileURLWithPath: "\(disk.scheme)/index")
        try Data(Data(contentsOf: index).dropLast(80)).write(to: index)
        let list = await wallet("list")
        #expect(list.status == 0 && list.errors.contains("The scheme demo cannot be read"), "\(list.errors)")
    }

    @Test func refusesAnotherKeyForAWallet() async throws {
        #expect(await wallet("list").status == 0)
        try disk.folder.write(Data(repeating: 8, count: 32).base64EncodedString(), to: "wallet.key")
        #expect(await wallet("list").status == 2)
        try disk.folder.write("short", to: "wallet.key")
        let short = await wallet("list")
        #expect(short.status == 2)
        #expect(short.errors.contains("32 bytes"))
    }

    @Test(arguments: ["x", "{}", "https://irma.app/-/session#x"])
    func refusesAMalformedPointer(text: String) async {
        #expect(await wallet("session", text, "--yes").status == 2)
    }

    @Test func refusesPlainHTTPOutsideDeveloperMode() async throws {
        let pointer = #"{"u":"http://127.0.0.1:1/irma/session/abc","irmaqr":"disclosing"}"#
        let refused = await Invocation.irma(
            "wallet",
            "session",
            pointer,
            "-y",
            "-w",
            disk.folder.path("w.db"),
            "--wallet-key",
            disk.folder.path("wallet.key"),
            "-s",
            disk.schemes
        )
        #expect(refused.status == 2)
        #expect(refused.errors.contains("https"))
    }
}
#endif
