#if Server && Client && SQLite
import CommandSupport
import CommandTesting
import CredentialServing
import CredentialServingOperations
import CryptoCore
import Foundation
import IRMAServer
import IdemixCore
import KeyshareServer
import Logging
import ServerSupport
import Synchronization
import TestSupport
import Testing

@testable import IRMATool

/// The findings of `irma server check`, and the server's readiness.
@Suite struct ServerCheckTests {
    private let disk: SchemeOnDisk

    init() async throws {
        disk = try await SchemeOnDisk()
    }

    private func check(_ flags: [String], at time: Date = SchemeOnDisk.now) async -> Invocation {
        await Invocation.run(IRMATool.self, ["server", "check", "-s", disk.schemes] + flags, now: time)
    }

    // MARK: Databases

    /// The flags for a file of sessions, and for one of revocation.
    private static func flags(_ path: String) -> [(key: String, flags: [String])] {
        [
            ("sqlite_path", ["--store-type", "sqlite", "--sqlite-path", path]),
            ("revocation_db_str", ["--revocation-db-type", "sqlite", "--revocation-db-str", path]),
        ]
    }

    @Test func opensFiles() async throws {
        for (index, (key, flags)) in Self.flags(disk.folder.path("a.db")).enumerated() {
            // The start makes it, and the check does not.
            let fresh = await check(flags)
            #expect(fresh.status == 0, "\(fresh.errors)")
            #expect(!FileManager.default.fileExists(atPath: disk.folder.path("a.db")))
            let broken = Self.flags(try disk.folder.write("no database", to: "broken.db"))[index].flags
            let refused = await check(broken)
            #expect(refused.status == 2)
            #expect(refused.errors.contains("\(key): "), "\(refused.errors)")
            let offline = await check(broken + ["--offline"])
            #expect(offline.status == 0, "\(offline.errors)")
            let nowhere = await check(Self.flags(disk.folder.path("missing/a.db"))[index].flags)
            #expect(nowhere.status == 2)
            #expect(nowhere.errors.contains("\(key): the file cannot be made"), "\(nowhere.errors)")
        }
    }

    /// A server has made both files: each is one of its own kind, and not of the other.
    @Test func tellsFilesApart() async throws {
        let (sessions, records) = (disk.folder.path("sessions.db"), disk.folder.path("records.db"))
        let flags = Self.flags(sessions)[0].flags + Self.flags(records)[1].flags
        try await withServer(of: disk, flags[0], flags[1], flags[2], flags[3], flags[4], flags[5], flags[6], flags[7]) {
            _ in
        }
        let taken = await check(flags)
        #expect(taken.status == 0, "\(taken.errors)")
        for refused in [await check(Self.flags(records)[0].flags), await check(Self.flags(sessions)[1].flags)] {
            #expect(refused.status == 2)
            #expect(refused.errors.contains("another kind"), "\(refused.errors)")
        }
    }

    #if Redis
    @Test func asksRedis() async throws {
        let port = try await freePort(disk)
        let flags = [
            "--store-type", "redis", "--redis-addr", "127.0.0.1:\(port)", "--redis-allow-empty-password",
            "--redis-no-tls",
        ]
        let refused = await check(flags)
        #expect(refused.status == 2)
        #expect(refused.errors.contains("store_type: "), "\(refused.errors)")
        #expect(await check(flags + ["--offline"]).status == 0)
    }
    #endif

    #if PostgreSQL
    @Test func asksPostgreSQL() async throws {
        let port = try await freePort(disk)
        let address = "host=127.0.0.1 port=\(port) password=hunter2 connect_timeout=2"
        let flags = ["--revocation-db-type", "postgres", "--revocation-db-str", address]
        let refused = await check(flags)
        #expect(refused.status == 2)
        #expect(refused.errors.contains("revocation_db_str: "), "\(refused.errors)")
        #expect(!refused.errors.contains("hunter2"))
        #expect(await check(flags + ["--offline"]).status == 0)
    }

    @Test(.enabled(if: PeerProcess.areWanted, PeerProcess.comment))
    func makesNoTables() async throws {
        let server = try await PeerPostgreSQL()
        defer { server.stop() }
        let flags = ["--revocation-db-type", "postgres", "--revocation-db-str", try server.makeDatabase()]
        for _ in 0..<2 {
            let fresh = await check(flags)
            #expect(fresh.status == 0 && fresh.errors.contains("has no tables yet"), "\(fresh.errors)")
        }
        try await withServer(of: disk, flags[0], flags[1], flags[2], flags[3]) { _ in }
        let made = await check(flags)
        #expect(made.status == 0 && !made.errors.contains("has no tables yet"), "\(made.errors)")
    }
    #endif

    /// A server without its records would refuse to issue and to tell of revocations.
    @Test func readinessAsksEveryDatabase() async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let console = Console(output: { _ in }, error: { _ in }, now: { SchemeOnDisk.now })
        func assembly(_ flags: [String]) async throws -> SessionServerAssembly {
            let flags = ["-s", disk.schemes, "--schemes-update", "0"] + flags
            let loaded = try ServerProgram.load(try ServerKeys.schema(), folders: [], flags, environment: [:])
            let settings = try ServerSettings(try #require(loaded))
            return try await SessionServerAssembly(settings, console: console, logger: logger)
        }
        let memory = await ServerRun.health(of: try await assembly([]), logger: logger).report()
        #expect(memory.entries.map(\.name) == ["sessions"])
        var database = try await assembly(Self.flags(disk.folder.path("records.db"))[1].flags)
        let ready = await ServerRun.health(of: database, logger: logger).report()
        #expect(ready.entries.map(\.name) == ["sessions", "revocation"] && ready.isReady)
        database.revocationRecords = LoggedRevocationRecordsTests.BrokenRecords(.storeUnavailable)
        let broken = await ServerRun.health(of: database, logger: logger).report()
        #expect(broken.entries.map(\.outcome) == [.passed, .failed] && !broken.isReady)
    }

    /// The body of `/ready` names the check, and the log has the reason.
    @Test func theLogSaysWhyTheServerIsNotReady() async {
        let lines = Mutex<[String]>([])
        let logger = OperationsLogging(write: { line in lines.withLock { $0.append(line) } }).logger(label: "test")
        let checks = [
            HealthCheck("revocation") { throw IRMAServerError(.storeUnavailable, "the database is away") },
            HealthCheck("accounts") { throw KeyshareServerError(.storeUnavailable, "the accounts are away") },
        ]
        _ = await Health(checks: checks, logger: logger).report()
        let told = lines.withLock { $0.joined() }
        #expect(told.contains("the database is away") && told.contains("the accounts are away"), "\(told)")
    }

    // MARK: Expiries

    private static let day: TimeInterval = 86_400

    @Test func warnsOfCertificates() async throws {
        let key = try PrivateKey.generate(.p256)
        let now = SchemeOnDisk.now
        let certificate = try await CertificateBuilder(
            subject: try DistinguishedName(commonName: "server"),
            publicKey: key.publicKey,
            validity: (now - Self.day)...(now + 100 * Self.day),
            extensions: [.subjectAlternativeName([.ipAddress([127, 0, 0, 1])])]
        ).selfSigned(by: SoftwareSigner(key))
        let flags = [
            "--tls-cert-file", try disk.folder.write(certificate.pem, to: "tls.pem"), "--tls-privkey-file",
            try disk.folder.write(key.pem, to: "tls-key.pem"),
        ]
        let cases: [(days: Double, told: String?)] = [
            (-2, "is not valid before"), (0, nil), (69, nil), (71, "expires on"), (99, "expires on"),
            (101, "has expired on"),
        ]
        for (days, told) in cases {
            let checked = await check(flags, at: now + days * Self.day)
            #expect(checked.status == 0 && checked.output == "the configuration is valid")
            let lines = checked.errors.split(separator: "\n").filter { $0.contains("certificate") }
            #expect(lines.count == (told == nil ? 0 : 1), "\(days): \(checked.errors)")
            if let told { #expect(lines[0].hasPrefix("warning: tls_cert: ") && lines[0].contains(told), "\(lines)") }
        }
    }

    @Test func warnsOfIssuersKeys() async throws {
        let expiry = try disk.keys().publicKey.expiryDate
        for (days, told) in [(-31, nil), (-29, "expires on"), (1, "has expired on")] as [(Double, String?)] {
            let checked = await check([], at: expiry + days * Self.day)
            #expect(checked.status == 0)
            let lines = checked.errors.split(separator: "\n").filter { $0.hasPrefix("warning: ") }
            #expect(lines.count == (told == nil ? 0 : 1), "\(checked.errors)")
            if let told {
                #expect(lines[0].hasPrefix("warning: key 0 of the issuer demo.bank \(told) "), "\(lines)")
            }
        }
    }
}
#endif
