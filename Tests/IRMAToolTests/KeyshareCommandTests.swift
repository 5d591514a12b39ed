#if Server && Client && SQLite
import CommandTesting
import CredentialTransport
import CryptoCore
import Foundation
import IRMAClient
import IRMAMessages
import Testing

@testable import IRMATool

/// `irma keyshare server`, with wallets of `irma wallet`.
@Suite struct KeyshareCommandTests {
    private static let signingKey = Result { try PrivateKey.generateRSA(bits: 2048) }
    private let key: PrivateKey
    private let disk: SchemeOnDisk

    init() async throws {
        key = try Self.signingKey.get()
        disk = try await SchemeOnDisk(keyshare: ("http://127.0.0.1:1", key.publicKey))
        try disk.folder.write(key.pem, to: "kss.pem")
        let storageKey = Data([1, 0, 0, 0] + [UInt8](repeating: 5, count: 32))
        try storageKey.write(to: URL(fileURLWithPath: disk.folder.path("storage.key")))
    }

    private var arguments: [String] {
        [
            "keyshare", "server", "-s", disk.schemes, "--schemes-update", "0", "-p", "0", "-l", "127.0.0.1", "-u",
            "http://127.0.0.1:port", "--db-type", "memory", "--jwt-privkey-file", disk.folder.path("kss.pem"),
            "--storage-primary-key-file", disk.folder.path("storage.key"), "--keyshare-attribute",
            "demo.bank.card.name",
        ]
    }

    private func wallet(_ place: SchemeOnDisk, _ arguments: String..., input: [String] = []) async -> Invocation {
        await place.wallet(arguments, input: input)
    }

    @Test func makesAStorageKey() async throws {
        let path = disk.folder.path("new.key")
        let made = await Invocation.irma("keyshare", "keygen", "--key-file", path, "--counter", "258")
        #expect(made.status == 0, "\(made.errors)")
        let content = try #require(FileManager.default.contents(atPath: path))
        #expect(content.count == 36 && Array(content.prefix(4)) == [2, 1, 0, 0])
        #expect(Set(content.dropFirst(4)).count > 1)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let again = await Invocation.irma("keyshare", "keygen", "-k", path)
        #expect(again.status == 2)
        #expect(FileManager.default.contents(atPath: path) == content)
    }

    @Test func namesEachMissingKeyInALine() async {
        let refused = await Invocation.irma("keyshare", "server")
        #expect(refused.status == 2)
        let lines = refused.errors.split(separator: "\n")
        for key in ["url", "jwt_privkey", "storage_primary_key_file", "keyshare_attribute"] {
            #expect(lines.count { $0.contains("missingValue in \(key):") } == 1, "\(refused.errors)")
        }
    }

    @Test(arguments: [([], nil), (["--jwt-privkey-id", "3"], "kss-3.pem of the scheme is not there")])
    func warnsOfAKeyThatWalletsDoNotHave(flags: [String], warning: String?) async throws {
        let keyshare = try await RunningCommand(arguments + flags)
        let ended = await keyshare.stop()
        #expect(ended.errors.contains("wallets cannot verify") == (warning != nil), "\(ended.errors)")
        if let warning { #expect(ended.errors.contains(warning), "\(ended.errors)") }
    }

    @Test func warnsOfAnotherKey() async throws {
        let other = try PrivateKey.generateRSA(bits: 2048)
        try disk.folder.write(other.pem, to: "kss.pem")
        let keyshare = try await RunningCommand(arguments)
        let ended = await keyshare.stop()
        #expect(ended.errors.contains("kss-0.pem of the scheme is another key"), "\(ended.errors)")
    }

    @Test(arguments: [
        (["enrol", "nothing"], "unknown scheme"), (["enrol", "demo"], "no keyshare server"),
        (["change-pin", "demo"], "no account"),
    ])
    func asksForNoPINInVain(words: [String], reason: String) async throws {
        let refused = try await SchemeOnDisk().wallet(words, input: ["12345", "54321"])
        #expect(refused.status == 2)
        #expect(refused.errors.contains(reason) && !refused.errors.contains("PIN"), "\(refused.errors)")
    }

    @Test func enrolsAndTakesPartInADisclosure() async throws {
        let keyshare = try await RunningCommand(arguments)
        let port = try keyshare.port()
        #expect(try await LocalHTTP.get(port, "/health") == (200, "OK"))
        // The wallet's scheme names the port that the server has.
        let place = try await SchemeOnDisk(keyshare: ("http://127.0.0.1:\(port)", key.publicKey))
        let enrolled = await wallet(place, "enrol", "demo", input: ["12345"])
        #expect(enrolled.status == 0, "\(enrolled.errors)")
        let list = await wallet(place, "list")
        #expect(list.output.contains("complete: yes"), "\(list.output)")
        #expect(list.output.contains("demo.bank.card"))

        let again = await wallet(place, "enrol", "demo", input: ["12345"])
        #expect(again.status == 2 && !again.errors.contains("PIN"), "\(again.errors)")

        try await withRunning(
            "session",
            "--disclose",
            "demo.bank.card.name",
            "-s",
            place.schemes,
            "--disable-schemes-update",
            "--noqr",
            "-p",
            "0",
            "--listen",
            "127.0.0.1",
            "-u",
            "http://127.0.0.1:port"
        ) { session in
            let shown = await wallet(place, "session", session.readyLine, "--yes", input: ["99999", "12345"])
            #expect(shown.status == 0, "\(shown.errors)")
            let result = await session.end()
            #expect(result.status == 0, "\(result.errors)")
        }
        let wrong = await wallet(place, "change-pin", "demo", input: ["99999", "54321"])
        #expect(wrong.status == 2 && wrong.errors.contains("wrong"), "\(wrong.errors)")
        #expect(await wallet(place, "change-pin", "demo", input: ["12345", ""]).status == 2)
        let changed = await wallet(place, "change-pin", "demo", input: ["12345", "54321"])
        #expect(changed.status == 0 && changed.output.contains("done"), "\(changed.errors)")
        #expect(await wallet(place, "change-pin", "demo", input: ["54321", "12345"]).status == 0)
        let renewed = await wallet(place, "renew", "demo")
        #expect(renewed.status == 0 && renewed.output.contains("not due"), "\(renewed.errors)")
        await keyshare.stop()
        // The server is not needed to forget the account.
        let kept = await wallet(place, "unenrol", "demo", input: ["n"])
        #expect(kept.status == 1 && kept.errors.contains("credentials of demo (1)"), "\(kept.errors)")
        #expect(await wallet(place, "list").output.contains("demo.bank.card"))
        let forgotten = await wallet(place, "unenrol", "demo", "--yes")
        #expect(forgotten.status == 0 && forgotten.output.contains("demo.bank.card"), "\(forgotten.errors)")
        let rest = await wallet(place, "list")
        #expect(!rest.output.contains("demo.bank.card") && !rest.output.contains("complete"), "\(rest.output)")
        #expect(await wallet(place, "unenroll", "demo", "-y").status == 2)
        let absent = await wallet(place, "unenrol", "demo", input: ["y"])
        #expect(absent.status == 2 && !absent.errors.contains("[y/N]"), "\(absent.errors)")
    }

    /// The session of an enrolment is in the store that the instances share.
    @Test func anInstanceContinuesTheEnrolmentOfAnother() async throws {
        let shared =
            arguments + [
                "--store-type", "sqlite", "--sqlite-path", disk.folder.path("sessions.db"), "--allow-unsigned-messages",
            ]
        let (first, second) = (try await RunningCommand(shared), try await RunningCommand(shared))
        let pin = Data(repeating: 7, count: 32).base64EncodedString() + "\\n"
        let body = #"{"pin": "\#(pin)", "language": "en"}"#
        let enrolled = try await LocalHTTP.post(first.port(), "/client/register", body)
        #expect(enrolled.status == 200, "\(enrolled.body)")
        let pointer = try SessionPointer(decoding: Array(enrolled.body.utf8))
        let path = try HTTPURL(pointer.url).path
        for port in [try first.port(), try second.port()] {
            let status = try await LocalHTTP.get(port, path + "/status")
            #expect(status == (200, "\"INITIALIZED\""))
        }
        await first.stop()
        await second.stop()
    }

    /// The schemes are read at the start and after an update: no request waits for the folder.
    @Test func servesWithoutReadingTheSchemesAgain() async throws {
        let keyshare = try await RunningCommand(arguments)
        let place = try await SchemeOnDisk(keyshare: ("http://127.0.0.1:\(try keyshare.port())", key.publicKey))
        try FileManager.default.removeItem(atPath: disk.schemes)
        let enrolled = await wallet(place, "enrol", "demo", input: ["12345"])
        #expect(enrolled.status == 0, "\(enrolled.errors)")
        await keyshare.stop()
    }

    @Test(arguments: [
        (["--email-server", "localhost:25"], "email_from"), (["--email-token-validity", "0"], "email_token_validity"),
        (["--db-type", "mysql"], "MySQL"), (["--db-type", "sqlite"], "db_str"), (["--db-type", "postgres"], "db_type"),
        (["--production"], "db_type: production mode"),
        (["--keyshare-attribute", "demo.bank.card.no"], "keyshare_attribute"),
        (["--keyshare-schemes", "other"], "keyshare_schemes"), (["--jwt-privkey-file", "/missing"], "missing"),
        (["--storage-primary-key-file", "/missing"], "missing"), (["--myirma", "x"], "unknown flag"),
        (["--storage-fallback-keys-dir", "/missing"], "storage_fallback_keys_dir"),
    ])
    func refusesFaultySettings(flags: [String], expected: String) async {
        // A flag that is given twice is refused, so the good one goes.
        var arguments = arguments
        if let position = arguments.firstIndex(of: flags[0]) { arguments.removeSubrange(position...position + 1) }
        let refused = await Invocation.run(IRMATool.self, arguments + flags, now: SchemeOnDisk.now)
        #expect(refused.status == 2)
        #expect(refused.errors.contains(expected), "\(refused.errors)")
    }

    /// Three attempts block an account: a wrong PIN of the environment counts once.
    @Test func givesThePINOfTheEnvironmentOnce() async {
        let environment = ["IRMA_WALLET_PIN": "99999"]
        let first = KeysharePINPrompt(scheme: "demo")
        #expect(await WalletFileOptions.pin(first, environment: environment) == "99999")
        // Servers may give no number.
        for remaining in [2, nil] {
            let second = KeysharePINPrompt(scheme: "demo", remainingAttempts: remaining, isRepeated: true)
            #expect(await WalletFileOptions.pin(second, environment: environment) == nil)
        }
    }

    @Test func demandsItsKeys() async {
        let refused = await Invocation.irma("keyshare", "server")
        #expect(refused.status == 2)
        for name in ["url", "jwt_privkey", "storage_primary_key_file", "keyshare_attribute"] {
            #expect(refused.errors.contains(name), "\(refused.errors)")
        }
    }

    @Test func namesItsKeysInItsHelp() async {
        let help = await Invocation.irma("keyshare", "server", "--help")
        #expect(help.status == 0)
        for name in [
            "db-type", "db-str", "jwt-privkey-id", "jwt-pin-expiry", "storage-fallback-keys-dir", "keyshare-attribute",
        ] {
            #expect(help.output.contains("--\(name) "), "\(name)")
        }
    }
}
#endif
