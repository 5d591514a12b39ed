#if Server && Client && SQLite
import CommandTesting
import CryptoCore
import Foundation
import IdemixCore
import KeyshareServerSQLite
import TestSupport
import Testing

@testable import IRMATool

/// The findings of `irma keyshare server check` and `irma keyshare myirmaserver check`.
@Suite struct AccountServerCheckTests {
    private static let signingKey = Result { try PrivateKey.generateRSA(bits: 2048) }
    private static let commands = ["server", "myirmaserver"]
    private let disk: SchemeOnDisk

    init() async throws {
        let key = try Self.signingKey.get()
        disk = try await SchemeOnDisk(keyshare: ("http://127.0.0.1:1", key.publicKey))
        try disk.folder.write(key.pem, to: "kss.pem")
        let storageKey = Data([1, 0, 0, 0] + [UInt8](repeating: 5, count: 32))
        try storageKey.write(to: URL(fileURLWithPath: disk.folder.path("storage.key")))
    }

    private func flags(of command: String) -> [String] {
        let own =
            command == "server"
            ? [
                "--jwt-privkey-file", disk.folder.path("kss.pem"), "--storage-primary-key-file",
                disk.folder.path("storage.key"), "--keyshare-attribute", "demo.bank.card.name",
            ] : ["--keyshare-attributes", "demo.bank.card.name", "--email-attributes", "demo.bank.card.name"]
        return ["-s", disk.schemes, "-p", "0", "-l", "127.0.0.1", "-u", "http://127.0.0.1:port"] + own
    }

    private func check(_ command: String, _ further: [String], at time: Date = SchemeOnDisk.now) async -> Invocation {
        await Invocation.run(
            IRMATool.self,
            ["keyshare", command, "check"] + flags(of: command) + further,
            now: time
        )
    }

    private func accounts(_ path: String) -> [String] { ["--db-type", "sqlite", "--db-str", path] }

    @Test(arguments: commands) func opensTheAccounts(_ command: String) async throws {
        // The start makes the file, and the check does not.
        let fresh = await check(command, accounts(disk.folder.path("a.db")))
        #expect(fresh.status == 0 && fresh.output == "the configuration is valid", "\(fresh.errors)")
        #expect(!FileManager.default.fileExists(atPath: disk.folder.path("a.db")))
        let broken = accounts(try disk.folder.write("no database", to: "broken.db"))
        let refused = await check(command, broken)
        #expect(refused.status == 2 && refused.errors.contains("db_str: "), "\(refused.errors)")
        let offline = await check(command, broken + ["--offline"])
        #expect(offline.status == 0, "\(offline.errors)")
        let nowhere = await check(command, accounts(disk.folder.path("missing/a.db")))
        #expect(nowhere.status == 2 && nowhere.errors.contains("db_str: the file cannot be made"), "\(nowhere.errors)")
    }

    @Test(arguments: commands) func opensTheSessions(_ command: String) async throws {
        let broken = try disk.folder.write("no database", to: "broken.db")
        let flags = accounts(disk.folder.path("a.db")) + ["--store-type", "sqlite", "--sqlite-path", broken]
        let refused = await check(command, flags)
        #expect(refused.status == 2 && refused.errors.contains("sqlite_path: "), "\(refused.errors)")
    }

    /// A server has made the file: it is one of accounts.
    @Test func takesTheFileOfAServer() async throws {
        let file = accounts(disk.folder.path("a.db"))
        let server = try await RunningCommand(
            ["keyshare", "server"] + flags(of: "server") + file + ["--schemes-update", "0"]
        )
        await server.stop()
        for command in Self.commands {
            let taken = await check(command, file)
            #expect(taken.status == 0, "\(taken.errors)")
        }
        let other = await check("server", file + ["--store-type", "sqlite", "--sqlite-path", disk.folder.path("a.db")])
        #expect(other.status == 2 && other.errors.contains("another kind"), "\(other.errors)")
    }

    /// The start adds tables to a file of an earlier version, and the check changes nothing.
    @Test func leavesAFileOfAnEarlierVersion() async throws {
        let path = disk.folder.path("a.db")
        try SQLiteKeyshareAccountStore(path: path).close()
        // The user version (SQLite's file format, section 1.3.15).
        var earlier = try Data(contentsOf: URL(fileURLWithPath: path))
        earlier.replaceSubrange(60..<64, with: [0, 0, 0, 1])
        try earlier.write(to: URL(fileURLWithPath: path))
        for command in Self.commands {
            let checked = await check(command, accounts(path))
            #expect(checked.status == 0 && checked.errors.contains("the start adds tables"), "\(checked.errors)")
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == earlier)
        }
    }

    @Test(arguments: commands) func refusesSettingsThatAStartRefuses(_ command: String) async throws {
        let memory = ["--db-type", "memory"]
        let cases = [
            (memory + ["--production", "--no-tls"], "db_type: production"),
            (memory + ["--trusted-proxies", "x"], "trusted_proxies: "),
            (memory + ["--tls-cert-file", disk.folder.path("kss.pem")], "tls_cert: "),
            (["--db-type", "sqlite"], "db_str: "),
        ]
        for (flags, reason) in cases {
            let refused = await check(command, flags)
            #expect(refused.status == 2 && refused.errors.contains(reason), "\(flags): \(refused.errors)")
        }
    }

    @Test(arguments: commands) func warnsOfWhatExpires(_ command: String) async throws {
        let expiry = try disk.keys().publicKey.expiryDate
        for (days, told) in [(-31, nil), (-29, "expires on"), (1, "has expired on")] as [(Double, String?)] {
            let checked = await check(command, ["--db-type", "memory"], at: expiry + days * 86_400)
            #expect(checked.status == 0, "\(checked.errors)")
            let lines = checked.errors.split(separator: "\n").filter { $0.hasPrefix("warning: ") }
            #expect(lines.count == (told == nil ? 0 : 1), "\(checked.errors)")
            if let told { #expect(lines[0].hasPrefix("warning: key 0 of the issuer demo.bank \(told) "), "\(lines)") }
        }
    }

    @Test(arguments: commands) func helpSaysWhatACheckDoes(_ command: String) async {
        let help = await Invocation.irma("keyshare", command, "check", "--help")
        #expect(help.status == 0 && help.output.contains("irma keyshare \(command) check"), "\(help.output)")
        #expect(help.output.contains("--offline"))
    }

    #if PostgreSQL
    @Test(arguments: commands) func asksPostgreSQL(_ command: String) async throws {
        let port = try await freePort(disk)
        let address = "host=127.0.0.1 port=\(port) password=hunter2 connect_timeout=2"
        let flags = ["--db-type", "postgres", "--db-str", address]
        let refused = await check(command, flags)
        #expect(refused.status == 2 && refused.errors.contains("db_str: "), "\(refused.errors)")
        #expect(!refused.errors.contains("hunter2"))
        #expect(await check(command, flags + ["--offline"]).status == 0)
    }

    @Test(.enabled(if: PeerProcess.areWanted, PeerProcess.comment))
    func makesNoTables() async throws {
        let server = try await PeerPostgreSQL()
        defer { server.stop() }
        let flags = ["--db-type", "postgres", "--db-str", try server.makeDatabase()]
        for _ in 0..<2 {
            let fresh = await check("server", flags)
            #expect(fresh.status == 0 && fresh.errors.contains("has no tables yet"), "\(fresh.errors)")
        }
    }
    #endif

    #if SMTP
    @Test(arguments: commands) func asksTheMailServer(_ command: String) async throws {
        let port = try await freePort(disk)
        try disk.folder.write("{{.VerificationURL}}{{.TokenURL}}{{.Delay}}", to: "mail.html")
        let names = command == "server" ? ["registration-email"] : ["login-email", "delete-email", "delete-account"]
        let texts = names.flatMap { name in
            [
                "--\(name)-files", "{\"en\": \"\(disk.folder.path("mail.html"))\"}", "--\(name)-subjects",
                "{\"en\": \"x\"}",
            ]
        }
        let link = ["--\(command == "server" ? "verification" : "login")-url", "{\"en\": \"https://my.example/\"}"]
        let mail = ["--email-server", "127.0.0.1:\(port)", "--email-from", "irma@example.org"] + texts + link
        let refused = await check(command, ["--db-type", "memory"] + mail)
        #expect(refused.status == 2 && refused.errors.contains("email_server: "), "\(refused.errors)")
        let offline = await check(command, ["--db-type", "memory", "--offline"] + mail)
        #expect(offline.status == 0, "\(offline.errors)")
    }
    #endif
}
#endif
