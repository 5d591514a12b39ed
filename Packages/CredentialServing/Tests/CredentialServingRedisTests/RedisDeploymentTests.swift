#if Redis
import CredentialServing
import CredentialServingRedis
import Foundation
import NIOSSL
import ServingContracts
import TestSupport
import Testing

@Suite(.enabled(if: RedisServerProcess.isInstalled, "redis-server and redis-sentinel are not installed"))
struct RedisDeploymentTests {
    private let time = SessionTestTime()

    private func store(_ configuration: RedisSessionConfiguration) throws -> RedisSessionStore {
        try RedisSessionStore(configuration: configuration, clock: time.clock, jitter: { 1 })
    }

    private func entry(_ key: String, value: [UInt8] = [1]) -> SessionEntry {
        SessionEntry(key: SessionKey(key), value: value, expiry: time.date + 3600)
    }

    @Test(.enabled(if: TestCertificates.isPossible, "openssl is not installed"))
    func speaksTLSWithACertificateOfTheClient() async throws {
        let certificates = try TestCertificates()
        defer { certificates.remove() }
        let server = try await RedisServerProcess.start { port, _ in
            [
                "port 0", "tls-port \(port)", "tls-auth-clients yes", "tls-ca-cert-file \(certificates.path("ca.pem"))",
                "tls-cert-file \(certificates.path("server.pem"))", "tls-key-file \(certificates.path("server.key"))",
            ]
        }
        defer { server.stop() }
        var tls = RedisTLS(configuration: try certificates.configuration(client: true), serverName: "localhost")
        var configuration = RedisSessionConfiguration(server: .address(server.address), tls: tls)
        let store = try store(configuration)
        try await SessionStoreLaw.all[4].check(SessionStoreWorld([store], time: time) { store.subscriptionCount })

        // The certificate names the host, and not its address.
        tls.serverName = nil
        configuration.tls = tls
        let unnamed = try self.store(configuration)
        await expectStoreError(.unavailable) { try await unnamed.check() }
        configuration.server = .address(RedisAddress(host: "localhost", port: server.port))
        let named = try self.store(configuration)
        try await named.check()
        tls.serverName = "other.example"
        configuration.tls = tls
        let misnamed = try self.store(configuration)
        await expectStoreError(.unavailable) { try await misnamed.check() }
        tls.serverName = nil
        tls.configuration = try certificates.configuration(client: false)
        configuration.tls = tls
        let anonymous = try self.store(configuration)
        await expectStoreError(.unavailable) { try await anonymous.check() }
        configuration.tls = RedisTLS()
        let distrusting = try self.store(configuration)
        await expectStoreError(.unavailable) { try await distrusting.check() }
        configuration.tls = nil
        let clear = try self.store(configuration)
        await expectStoreError(.unavailable) { try await clear.check() }
        for store in [unnamed, named, misnamed, anonymous, distrusting, clear] { await store.close() }
    }

    /// `irma server` speaks TLS by default, and Redis does not.
    @Test func saysThatAServerMayNotSpeakTLS() async throws {
        let server = try await RedisServerProcess.start()
        defer { server.stop() }
        let store = try store(
            RedisSessionConfiguration(
                server: .address(server.address),
                tls: RedisTLS(serverName: "localhost"),
                commandTimeout: .milliseconds(200)
            )
        )
        let error = await #expect(throws: SessionStoreError.self) { try await store.check() }
        #expect(error?.code == .unavailable)
        #expect(error?.message.contains("may not speak TLS") == true, "\(error?.message ?? "")")
        await store.close()
    }

    @Test(.timeLimit(.minutes(2)))
    func followsTheMasterThatSentinelsTell() async throws {
        let master = try await RedisServerProcess.start()
        defer { master.stop() }
        let replica = try await RedisServerProcess.start { port, _ in
            ["port \(port)", "replicaof 127.0.0.1 \(master.port)", "repl-diskless-sync-delay 0"]
        }
        defer { replica.stop() }
        let sentinel = try await RedisServerProcess.start("redis-sentinel") { port, _ in
            [
                "port \(port)", "sentinel monitor sessions 127.0.0.1 \(master.port) 1",
                "sentinel down-after-milliseconds sessions 500", "sentinel failover-timeout sessions 2000",
            ]
        }
        defer { sentinel.stop() }
        let unused = RedisAddress(host: "127.0.0.1", port: try PeerProcess.freePort())
        let configuration = RedisSessionConfiguration(
            server: .sentinels([unused, sentinel.address], master: "sessions"),
            maximumBackoff: .milliseconds(100)
        )
        let store = try store(configuration)
        let run = Task { await store.run() }
        try await store.insert(entry("a"))
        var unknown = configuration
        unknown.server = .sentinels([sentinel.address], master: "unknown")
        let lost = try self.store(unknown)
        await expectStoreError(.unavailable) { try await lost.check() }
        await lost.close()

        // The replica has the session, and the sentinel knows the replica.
        let copy = try self.store(RedisSessionConfiguration(server: .address(replica.address)))
        var copied: SessionEntry?
        while copied == nil { copied = try await copy.entry(for: SessionKey("a")) }
        let first = try #require(copied)
        await expectStoreError(.unavailable) { try await copy.swap(first) }
        while try !sentinel.answer(to: ["SENTINEL", "replicas", "sessions"]).contains("\(replica.port)") {}
        var changes = store.changes(of: SessionKey("a")).makeAsyncIterator()
        #expect(try await changes.next() != nil)
        master.stop()

        // Refused with a typed error until the replica is master.
        var swapped: SessionEntry?
        while swapped == nil {
            time.advance(by: .milliseconds(100))
            do throws(SessionStoreError) {
                guard let current = try await store.entry(for: SessionKey("a")) else { continue }
                swapped = try await store.swap(current)
            } catch {
                #expect([.unavailable, .outcomeUnknown].contains(error.code), "\(error)")
            }
        }
        #expect(try await changes.next() == swapped)
        #expect(try await copy.entry(for: SessionKey("a")) == swapped, "on the server that was a replica")
        await copy.close()
        await store.close()
        await run.value
    }
}

/// Sentinels that are of no use, and waits for them.
@Suite(
    .enabled(if: RedisServerProcess.isInstalled, "redis-server and redis-sentinel are not installed"),
    .timeLimit(.minutes(1))
)
struct RedisSentinelTests {
    private let time = SessionTestTime()

    private func store(_ configuration: RedisSessionConfiguration) throws -> RedisSessionStore {
        try RedisSessionStore(configuration: configuration, clock: time.clock, jitter: { 1 })
    }

    @Test func asksTheSentinelFirstThatAnsweredLast() async throws {
        let master = try await RedisServerProcess.start()
        defer { master.stop() }
        let sentinel = try await RedisServerProcess.start("redis-sentinel") { port, _ in
            ["port \(port)", "sentinel monitor sessions 127.0.0.1 \(master.port) 1"]
        }
        defer { sentinel.stop() }
        // A server refuses the commands of sentinels.
        let useless = try await RedisServerProcess.start()
        defer { useless.stop() }
        let store = try store(
            RedisSessionConfiguration(server: .sentinels([useless.address, sentinel.address], master: "sessions"))
        )
        try await store.check()
        // The connections of redis-cli count, too.
        #expect(try useless.connectionCount() == 2)
        try master.answer(to: ["CLIENT", "KILL", "TYPE", "normal"])
        while (try? await store.check()) == nil { await Task.yield() }
        #expect(try useless.connectionCount() == 3)
        await store.close()
    }

    @Test func waitForASilentSentinelEndsWithItsTaskAndTheStore() async throws {
        let silent = try await RedisServerProcess.start()
        defer { silent.stop() }
        silent.suspend()
        let configuration = RedisSessionConfiguration(
            server: .sentinels([silent.address], master: "sessions"),
            connectTimeout: .seconds(600),
            commandTimeout: .seconds(600)
        )
        let store = try store(configuration)
        let run = Task { await store.run() }
        let cancelled = Task { try await store.check() }
        let waiting = Task { try await store.check() }
        cancelled.cancel()
        await expectStoreError(.cancelled) { try await cancelled.value }
        await store.close()
        await expectStoreError(.closed) { try await waiting.value }
        await run.value
    }
}

extension RedisServerProcess {
    /// The number of connections that the server has accepted, with the one of this question.
    fileprivate func connectionCount() throws -> Int? {
        let lines = try answer(to: ["INFO", "stats"]).split(whereSeparator: \.isNewline)
        let line = lines.first { $0.hasPrefix("total_connections_received:") }
        return line.flatMap { Int($0.drop { $0 != ":" }.dropFirst()) }
    }
}

/// Certificates of a test: an authority, a server on loopback and a client.
private struct TestCertificates {
    static let isPossible = (try? output(of: "openssl", ["version"])) != nil

    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "certificates-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let new = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
        try output(
            of: "openssl",
            ["req", "-x509", "-subj", "/CN=Test CA", "-keyout", path("ca.key"), "-out", path("ca.pem")] + new
        )
        for (name, subject, names) in [
            ("server", "/CN=localhost", "subjectAltName=DNS:localhost"),
            ("client", "/CN=client", "subjectAltName=DNS:client.example"),
        ] {
            try output(
                of: "openssl",
                [
                    "req", "-x509", "-subj", subject, "-addext", names, "-addext", "basicConstraints=critical,CA:FALSE",
                    "-CA", path("ca.pem"), "-CAkey", path("ca.key"), "-keyout", path("\(name).key"),
                    "-out", path("\(name).pem"),
                ] + new
            )
        }
    }

    func path(_ name: String) -> String { folder.appending(path: name).path }

    func configuration(client: Bool) throws -> TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(path("ca.pem")))
        guard client else { return configuration }
        configuration.certificateChain = try NIOSSLCertificate.fromPEMFile(path("client.pem")).map { .certificate($0) }
        configuration.privateKey = .privateKey(try NIOSSLPrivateKey(file: path("client.key"), format: .pem))
        return configuration
    }

    func remove() {
        try? FileManager.default.removeItem(at: folder)
    }
}
#endif
