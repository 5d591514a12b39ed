#if Redis
import CredentialServing

/// Finds the server, connects to it and logs in.
struct RedisConnector: Sendable {
    let configuration: RedisSessionConfiguration
    private let tls: RedisTLSContext?

    init(_ configuration: RedisSessionConfiguration) throws(SessionStoreError) {
        if case .sentinels(let sentinels, _, _) = configuration.server, sentinels.isEmpty {
            throw SessionStoreError(.invalidConfiguration, "no sentinels")
        }
        guard configuration.database >= 0 else {
            throw SessionStoreError(.invalidConfiguration, "database \(configuration.database)")
        }
        self.configuration = configuration
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
        case .sentinels(let sentinels, let master, let credentials):
            var failure = SessionStoreError(.unavailable, "no sentinels")
            for sentinel in sentinels {
                do throws(SessionStoreError) {
                    let address = try await self.master(master, from: sentinel, credentials)
                    return try await connect(to: .address(address), mustBeMaster: true, onMessage)
                } catch {
                    failure = error
                }
            }
            throw failure
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
            try await logIn(connection, configuration.credentials)
            // A server that cannot serve counts as a failed connection, so that the back-off applies to it.
            try await connection.call(RedisCommand("PING"))
            if configuration.database > 0 {
                try await connection.call(RedisCommand("SELECT", "\(configuration.database)"))
            }
            // A sentinel may not know yet that its master was replaced.
            if mustBeMaster, try await connection.call(RedisCommand("ROLE")).parts?.first?.text != "master" {
                throw SessionStoreError(.unavailable, "the server is no master")
            }
            return connection
        } catch {
            connection.close()
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
            try await logIn(connection, credentials)
            let reply = try await connection.call(RedisCommand("SENTINEL", "get-master-addr-by-name", name))
            guard let parts = reply.parts, parts.count == 2, let host = parts[0].text, !host.isEmpty,
                let port = parts[1].text.flatMap({ Int($0) }), (1...65535).contains(port)
            else { throw SessionStoreError(.unavailable, "the sentinel knows no such master") }
            return RedisAddress(host: host, port: port)
        } catch {
            throw error.inside("sentinel \(sentinel)")
        }
    }
}
#endif
