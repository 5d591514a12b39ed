#if PostgreSQL
import CredentialServing
import Foundation
import TestSupport
import Testing
import VerificationCore

@testable import IRMAPostgreSQL

/// Passwords and TLS, by the connection string.
@Suite(.enabled(if: PeerProcess.areWanted, PeerProcess.comment), .timeLimit(.minutes(2)))
struct PostgreSQLLoginTests {
    private func error(_ string: String) async throws -> PostgreSQLError? {
        let configuration = PostgreSQLConfiguration(connectionString: string)
        let pool = try PostgreSQLPool(configuration, clock: .system, jitter: { 1 })
        defer { pool.close() }
        do {
            try await pool.transaction(.read) { db in _ = try db.execute("SELECT 1") }
            return nil
        } catch {
            return error as? PostgreSQLError
        }
    }

    @Test func aWrongPasswordIsRefusedWithoutItsText() async throws {
        let server = try await PeerPostgreSQL()
        defer { server.stop() }
        let good = server.connectionString(database: "postgres")
        #expect(try await error(good) == nil)
        let wrong = try #require(try await error(good.replacingOccurrences(of: server.password, with: "other-secret")))
        #expect(wrong.code == .unavailable)
        #expect(!"\(wrong)".contains("other-secret"))
        #expect("\(wrong)".contains("password authentication failed"))
        // A password that is a part of the message's own words leaves no message.
        let word = try #require(try await error(good.replacingOccurrences(of: server.password, with: "authentication")))
        #expect(!"\(word)".contains("authentication"))
        #expect(
            try await error(good.replacingOccurrences(of: "dbname=postgres", with: "dbname=none"))?.code == .unavailable
        )
    }

    @Test(.enabled(if: TestCertificates.isPossible, "openssl is not installed"))
    func provesTheServerByItsCertificate() async throws {
        let server = try await PeerPostgreSQL(
            settings: ["ssl=on", "ssl_cert_file=FOLDER/server.pem", "ssl_key_file=FOLDER/server.key"]
        ) { folder in try TestCertificates.make(in: folder) }
        defer { server.stop() }
        let string = server.connectionString(database: "postgres")
        let root = server.folder.appending(path: "root.pem").path
        let other = server.folder.appending(path: "other.pem").path
        #expect(
            try await error(string + " sslmode=verify-full sslrootcert=\(root)")?.code == .unavailable,
            "no such name"
        )
        let named = string.replacingOccurrences(of: "host=127.0.0.1", with: "host=localhost hostaddr=127.0.0.1")
        #expect(try await error(named + " sslmode=verify-full sslrootcert=\(root)") == nil)
        #expect(try await error(named + " sslmode=verify-full sslrootcert=\(other)")?.code == .unavailable)
        let pool = try PostgreSQLPool(
            PostgreSQLConfiguration(connectionString: named + " sslmode=verify-full sslrootcert=\(root)"),
            clock: .system,
            jitter: { 1 }
        )
        let isEncrypted = try await pool.transaction(.read) { db in
            try db.execute("SELECT ssl::int FROM pg_stat_ssl WHERE pid = pg_backend_pid()").rows.first?.integer(0)
        }
        #expect(isEncrypted == 1)
        pool.close()
    }
}

/// A root with the certificate of a server on loopback, and a root that has nothing to do with it.
private enum TestCertificates {
    static let isPossible = FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")

    static func make(in folder: URL) throws {
        let new = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
        func path(_ name: String) -> String { folder.appending(path: name).path }
        for name in ["root", "other"] {
            let names = ["-keyout", path("\(name).key"), "-out", path("\(name).pem")]
            try run(["req", "-x509", "-subj", "/CN=Test \(name)"] + names + new)
        }
        try run(
            [
                "req", "-x509", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-addext",
                "basicConstraints=critical,CA:FALSE", "-CA", path("root.pem"), "-CAkey", path("root.key"), "-keyout",
                path("server.key"), "-out", path("server.pem"),
            ] + new
        )
    }

    private static func run(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw PeerProcess.Failure(description: "openssl failed") }
    }
}
#endif
