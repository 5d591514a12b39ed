#if Server && Client && SQLite && Redis && os(Linux)
import CommandTesting
import CredentialTransport
import Foundation
import IRMAClient
import IRMAMessages
import JSONKit
import Synchronization
import TestSupport
import Testing

/// Two processes with one Redis behind Debian's haproxy, of which one is killed between two requests of a session.
@Suite(.enabled(if: PeerProcess.areWanted, PeerProcess.comment))
struct ServerClusterTests {
    private enum Kind: CaseIterable {
        case disclosing, issuing, paired
    }

    private static let issuing = """
        {"@context":"https://irma.app/ld/request/issuance/v2",\
        "credentials":[{"credential":"demo.bank.card","attributes":{"name":"Alice"}}]}
        """
    private static let disclosing = """
        {"@context":"https://irma.app/ld/request/disclosure/v2","disclose":[[["demo.bank.card.name"]]]}
        """

    private static let pairing = """
        {"@context":"https://irma.app/ld/request/frontendoptions/v1","pairingMethod":"pin"}
        """

    @Test(.timeLimit(.minutes(5)))
    func noSessionIsLostWithAnInstance() async throws {
        let disk = try await SchemeOnDisk()
        let cluster = try await Cluster(schemes: disk.schemes)
        defer { cluster.stop() }
        var count = 0
        for kind in Kind.allCases {
            let exchanges = try await run(kind, cluster, killing: nil)
            #expect(exchanges >= 2)
            for victim in 0..<2 {
                // The last point is before the requestor fetches the result.
                for point in 0...exchanges {
                    _ = try await run(kind, cluster, killing: (victim, point))
                    count += 1
                }
            }
        }
        print("killed an instance \(count) times, and lost no session")
    }

    /// Runs a session, and returns the number of the wallet's exchanges.
    private func run(_ kind: Kind, _ cluster: Cluster, killing plan: (victim: Int, point: Int)?) async throws -> Int {
        let connection = InterruptedTransport { number in
            if number == plan?.point, let victim = plan?.victim { await cluster.kill(victim) }
        }
        let wallet = try await cluster.wallet(connection)
        if kind != .issuing {
            let package = try await start(Self.issuing, cluster)
            let session = try wallet.session(with: package.pointer)
            _ = try await session.answer(try #require(try await session.request().firstChoice)) { _ in nil }
        }
        connection.begin()
        let package = try await start(kind == .issuing ? Self.issuing : Self.disclosing, cluster)
        if kind == .paired { try await frontend("options", Self.pairing, package, cluster) }
        let session = try wallet.session(with: package.pointer)
        let request = try await session.request { _ in
            try? await self.frontend("pairingcompleted", "", package, cluster)
        }
        _ = try await session.answer(try #require(request.firstChoice)) { _ in nil }
        let exchanges = connection.end()
        if exchanges == plan?.point, let victim = plan?.victim { await cluster.kill(victim) }
        let result = try await LocalHTTP.get(cluster.port, "/session/\(package.token)/result")
        let text = Comment(rawValue: "\(kind), \(String(describing: plan)): \(result)")
        #expect(result.status == 200, text)
        #expect(result.body.contains("\"proofStatus\":\"VALID\""), text)
        if let victim = plan?.victim { try await cluster.start(victim) }
        return exchanges
    }

    private func start(_ request: String, _ cluster: Cluster) async throws -> SessionPackage {
        let started = try await LocalHTTP.post(cluster.port, "/session", request)
        try #require(started.status == 200, "\(started)")
        return try SessionPackage(decoding: Array(started.body.utf8))
    }

    private func frontend(_ name: String, _ body: String, _ package: SessionPackage, _ cluster: Cluster) async throws {
        let path = try HTTPURL(package.pointer.url).path + "/frontend/\(name)"
        let answer = try await LocalHTTP.post(cluster.port, path, body, token: package.frontend?.authorization)
        try #require([200, 204].contains(answer.status), "\(answer)")
    }
}

/// Two instances of the binary, their Redis, and the proxy before them.
private final class Cluster: Sendable {
    private let schemes: String
    private let redis: PeerProcess
    private let proxy: PeerProcess
    private let ports: [Int]
    private let instances = Mutex<[ServerProcess?]>([nil, nil])

    var port: Int { proxy.port }

    /// - Parameter schemes: The folder of the schemes.
    init(schemes: String) async throws {
        self.schemes = schemes
        redis = try await PeerProcess(
            "/usr/bin/redis-server",
            arguments: { [$0] },
            configuration: { port, folder in
                "bind 127.0.0.1\nport \(port)\ndir \(folder)\nsave \"\"\nappendonly no\nlogfile \(folder)/log\n"
            }
        )
        let ports = try (0..<2).map { _ in try PeerProcess.freePort() }
        self.ports = ports
        proxy = try await PeerProcess(
            "/usr/sbin/haproxy",
            arguments: { ["-db", "-q", "-f", $0] },
            configuration: { port, _ in
                """
                defaults
                    mode http
                    timeout connect 5s
                    timeout client 30s
                    timeout server 30s
                    retries 3
                    option redispatch 1
                    retry-on conn-failure empty-response
                frontend front
                    bind 127.0.0.1:\(port)
                    default_backend back
                backend back
                    balance roundrobin
                    server a 127.0.0.1:\(ports[0])
                    server b 127.0.0.1:\(ports[1])

                """
            }
        )
        for number in 0..<2 { try await start(number) }
    }

    /// Starts an instance, which takes requests then.
    func start(_ number: Int) async throws {
        let process = try await ServerProcess([
            "server", "-s", schemes, "--schemes-update", "0", "-p", "\(ports[number])", "-l", "127.0.0.1", "-u",
            "http://127.0.0.1:\(proxy.port)", "--store-type", "redis", "--redis-addr", "127.0.0.1:\(redis.port)",
            "--redis-pw", "", "--redis-allow-empty-password", "--redis-no-tls",
        ])
        instances.withLock { $0[number] = process }
    }

    /// Ends an instance without a warning.
    func kill(_ number: Int) async {
        let process = instances.withLock { instances in
            defer { instances[number] = nil }
            return instances[number]
        }
        _ = await process?.end(by: SIGKILL)
    }

    func stop() {
        instances.withLock { $0 = [nil, nil] }
        proxy.stop()
        redis.stop()
    }

    /// A wallet without credentials.
    func wallet(_ transport: InterruptedTransport) async throws -> IRMAWallet {
        let schemes = try await SchemeDirectory(opening: URL(fileURLWithPath: schemes)).snapshot()
        return try await IRMAWallet(
            storage: InMemoryCredentialStorage(),
            schemes: WalletSchemes(schemes),
            transport: transport,
            options: WalletOptions(isDeveloperMode: true, pairingInterval: .milliseconds(50))
        )
    }
}

/// A transport that does something before each exchange.
private final class InterruptedTransport: HTTPStreamingTransport {
    private let before: @Sendable (Int) async -> Void
    /// The number of exchanges since the count began; nil before.
    private let count = Mutex<Int?>(nil)

    init(_ before: @escaping @Sendable (Int) async -> Void) {
        self.before = before
    }

    func begin() { count.withLock { $0 = 0 } }

    func end() -> Int {
        count.withLock { count in
            defer { count = nil }
            return count ?? 0
        }
    }

    private func step() async {
        let number = count.withLock { count -> Int? in
            defer { count? += 1 }
            return count
        }
        if let number { await before(number) }
    }

    func response(to request: HTTPTransportRequest) async throws(TransportError) -> HTTPTransportResponse {
        await step()
        return try await LocalHTTP.transport.response(to: request)
    }

    func stream(for request: HTTPTransportRequest) async throws(TransportError) -> HTTPResponseStream {
        await step()
        return try await LocalHTTP.transport.stream(for: request)
    }

    func keepingConnection(to url: HTTPURL) -> any HTTPStreamingTransport { self }

    func close() async {}
}
#endif
