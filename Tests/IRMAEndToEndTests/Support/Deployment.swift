#if Server && Client
import CredentialServing
import CredentialServingHummingbird
import CredentialTransport
import Foundation
import LoopbackTesting
import TestSupport

#if Redis
import CredentialServingRedis
#endif

/// The way in which the servers of an ``EndToEndWorld`` run.
struct Deployment: Sendable {
    /// The deployment of the current task: one instance over plain HTTP, with its sessions in memory, unless a test says other.
    @TaskLocal static var current = Deployment()

    /// The certificate and its key; nil for plain HTTP.
    var identity: ServerIdentity?
    /// The port of Redis on loopback, where two instances keep their sessions behind haproxy; nil for one instance.
    var redisPort: Int?

    /// The number of instances.
    var instanceCount: Int { redisPort == nil ? 1 : 2 }

    /// The store of all instances.
    func store(_ clock: SessionClock) throws -> any SessionStore {
        #if Redis
        if let redisPort {
            let address = RedisAddress(host: "127.0.0.1", port: redisPort)
            return try RedisSessionStore(
                configuration: RedisSessionConfiguration(server: .address(address)),
                clock: clock
            )
        }
        #endif
        return MemorySessionStore(clock: clock)
    }

    /// Closes a store.
    func close(_ store: any SessionStore) async {
        #if Redis
        await (store as? RedisSessionStore)?.close()
        #endif
    }

    /// The proxy in front of several instances, which gives every request to the next one; nil for one instance.
    func proxy(_ ports: [Int]) async throws -> PeerProcess? {
        guard ports.count > 1 else { return nil }
        return try await PeerProcess(
            "/usr/sbin/haproxy",
            arguments: { ["-db", "-q", "-f", $0] },
            configuration: { port, _ in
                let servers = ports.enumerated().map { "    server s\($0.offset) 127.0.0.1:\($0.element)\n" }
                return """
                    defaults
                        mode http
                        timeout connect 10s
                        timeout client 60s
                        timeout server 60s
                    frontend front
                        bind 127.0.0.1:\(port)
                        default_backend back
                    backend back
                        balance roundrobin
                    \(servers.joined())
                    """
            }
        )
    }

    /// The connections of wallets and servers to the servers.
    func connector() throws -> AsyncHTTPClientConnector {
        guard let identity else { return AsyncHTTPClientConnector() }
        return AsyncHTTPClientConnector(tls: identity.clientConfiguration)
    }
}
#endif
