#if Server && Redis && os(Linux)
import CredentialServing
import CredentialServingHummingbird
import CredentialServingRedis
import Foundation
import TestSupport
import Testing

/// Servers with one store behind Debian's haproxy, which gives every request to the other one.
@Suite(.timeLimit(.minutes(1)))
struct HAProxyTests {
    @Test(.enabled(if: PeerProcess.areWanted, PeerProcess.comment))
    func sessionsGoOnWithTheOtherServer() async throws {
        let redis = try await RedisServerProcess.start()
        defer { redis.stop() }
        let stores = try ["a", "b"].map { _ in
            try RedisSessionStore(configuration: RedisSessionConfiguration(server: .address(redis.address)))
        }
        let servers = try zip(["a", "b"], stores).map { name, store in
            HummingbirdServer(try Self.engine(name, store), options: HummingbirdServerOptions(port: 0))
        }
        let running = servers.map { server in Task { try await server.run() } }
        let ports = [try await servers[0].port, try await servers[1].port]
        let proxy = try await PeerProcess(
            "/usr/sbin/haproxy",
            arguments: { ["-db", "-q", "-f", $0] },
            configuration: { port, _ in Self.configuration(port: port, servers: ports) }
        )
        defer { proxy.stop() }
        var answers: [String] = []
        for _ in 0..<20 {
            answers.append(try output(of: "curl", ["-sS", "-m", "20", "http://127.0.0.1:\(proxy.port)/count"]))
        }
        // Each one counts on from where the other one was.
        #expect(answers.map { $0.split(separator: " ").last.map(String.init) } == (1...20).map { "\($0)" })
        let names = answers.map { String($0.prefix(1)) }
        #expect(names == (0..<20).map { $0 % 2 == 0 ? names[0] : names[1] })
        #expect(Set(names) == ["a", "b"])
        for task in running {
            task.cancel()
            _ = await task.result
        }
        for store in stores { await store.close() }
    }

    /// An engine that counts its requests in a session.
    private static func engine(_ name: String, _ store: RedisSessionStore) throws -> RoutedEngine {
        let key = SessionKey("counter")
        return try RoutedEngine([
            .get("/count") { _ in
                guard var entry = try await store.entry(for: key) else {
                    try await store.insert(SessionEntry(key: key, value: [1], expiry: Date(timeIntervalSinceNow: 60)))
                    return .text("\(name) 1")
                }
                entry.value[0] += 1
                let count = entry.value[0]
                try await store.swap(entry)
                return .text("\(name) \(count)")
            }
        ])
    }

    private static func configuration(port: Int, servers: [Int]) -> String {
        """
        defaults
            mode http
            timeout connect 10s
            timeout client 30s
            timeout server 30s
        frontend front
            bind 127.0.0.1:\(port)
            default_backend back
        backend back
            balance roundrobin
            server a 127.0.0.1:\(servers[0])
            server b 127.0.0.1:\(servers[1])

        """
    }
}
#endif
