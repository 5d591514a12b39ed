#if Redis
import CredentialServing
import Synchronization

/// Finds the server, connects to it and logs in.
final class RedisConnector: Sendable {
    let configuration: RedisSessionConfiguration
    private let tls: RedisTLSContext?
    /// The sentinels, the one that answered last in front (guidelines for clients of Redis Sentinel, step 1).
    private let sentinels: Mutex<[RedisAddress]>

    init(_ configuration: RedisSessionConfiguration) throws(SessionStoreError) {
        var sentinels: [RedisAddress] = []
        if case .sentinels(let addresses, _, _) = configuration.server {
            guard !addresses.isEmpty else { throw SessionStoreError(.invalidConfiguration, "no sentinels") }
            sentinels = addresses
        }
        guard configuration.database >= 0 else {
            throw SessionStoreError(.invalidConfiguration, "database \(configuration.database)")
        }
        self.configuration = configuration
        self.sentinels = Mutex(sentinels)
        var tls: RedisTLSContext?
        if let settings = configuration.tls { tls = try RedisTLSContext(settings) }
        self.tls = tls
    }

    /// Connects to the server, or to the master that the sentinels tell.
    func connect(
        onMessage: (@Sendable ([UInt8]) -> Void)? = nil
    ) async throws(SessionStoreError) -> RedisConnection {
        switch configuration.server {
        case .address(let address):
            return try await connect(to: .address(address), onMessage)
        case .unixSocket(let path):
            return try await connect(to: .unixSocket(path: path), onMessage)
        case .sentinels(_, let master, let credentials):
            var failure = SessionStoreError(.unavailable, "no sentinels")
            for sentinel in sentinels.withLock({ $0 }) {
                do throws(SessionStoreError) {
                    let address = try await self.master(master, from: sentinel, credentials)
                    prefer(sentinel)
                    return try await connect(to: .address(address), mustBeMaster: true, onMessage)
                } catch {
                    guard error.code != .cancelled else { throw error }
                    failure = error
                }
            }
            throw failure
        }
    }

    /// Puts a sentinel in front of the others.
    private func prefer(_ sentinel: RedisAddress) {
        sentinels.withLock { sentinels in
            guard let index = sentinels.firstIndex(of: sentinel) else { return }
            sentinels.insert(sentinels.remove(at: index), at: 0)
        }
    }

    private func connect(
        to target: RedisTarget,
        mustBeMaster: Bool = false,
        _ onMessage: (@Sendable ([UInt8]) -> Void)?
    ) async throws(SessionStoreError) -> RedisConnection {
        let connection = try await RedisConnection(
            to: target,
            tls: tls,
            configuration: configuration,
            onMessage: onMessage
        )
        do throws(SessionStoreError) {
            try await connection.setUp { () throws(SessionStoreError) in
                try await self.logIn(connection, self.configuration.credentials)
                // A server that cannot serve counts as a failed connection, so that the back-off applies to it.
                try await connection.call(RedisCommand("PING"))
                if self.configuration.database > 0 {
                    try await connection.call(RedisCommand("SELECT", "\(self.configuration.database)"))
                }
                // A sentinel may not know yet that its master was replaced.
                if mustBeMaster, try await connection.call(RedisCommand("ROLE")).parts?.first?.text != "master" {
                    throw SessionStoreError(.unavailable, "the server is no master")
                }
            }
            return connection
        } catch {
            throw error.inside(target.description)
        }
    }

    private func logIn(
        _ connection: RedisConnection,
        _ credentials: RedisCredentials?
    ) async throws(SessionStoreError) {
        guard let credentials else { return }
        let command =
            if let user = credentials.user { RedisCommand("AUTH", user, credentials.password) } else {
                RedisCommand("AUTH", credentials.password)
            }
        try await connection.call(command)
    }

    /// Asks a sentinel for the address of a master.
    private func master(
        _ name: String,
        from sentinel: RedisAddress,
        _ credentials: RedisCredentials?
    ) async throws(SessionStoreError) -> RedisAddress {
        let connection = try await RedisConnection(to: .address(sentinel), tls: tls, configuration: configuration)
        defer { connection.close() }
        do throws(SessionStoreError) {
            return try await connection.setUp { () throws(SessionStoreError) in
                try await self.logIn(connection, credentials)
                let reply = try await connection.call(RedisCommand("SENTINEL", "get-master-addr-by-name", name))
                guard let parts = reply.parts, parts.count == 2, let host = parts[0].text, !host.isEmpty,
                    let port = parts[1].text.flatMap({ Int($0) }), (1...65535).contains(port)
                else { throw SessionStoreError(.unavailable, "the sentinel knows no such master") }
                return RedisAddress(host: host, port: port)
            }
        } catch {
            throw error.inside("sentinel \(sentinel)")
        }
    }
}
#endif
