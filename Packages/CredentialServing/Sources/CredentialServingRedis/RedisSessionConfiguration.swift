#if Redis
@_spi(Layers) import CredentialTransport
public import NIOSSL

/// The address of a server on the network.
public struct RedisAddress: Hashable, Sendable, CustomStringConvertible {
    /// The name or the address of the host.
    public var host: String
    /// The port.
    public var port: Int

    /// An address.
    public init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Host and port, with a colon between them.
    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// A user of a server, by its access control list.
public struct RedisCredentials: Sendable, CustomStringConvertible, CustomReflectable {
    /// The name of the user, or nil for the default user.
    public var user: String?
    /// The password.
    public var password: String

    /// A user.
    public init(user: String? = nil, password: String) {
        self.user = user
        self.password = password
    }

    /// The name of the user, without the password.
    public var description: String { "user \(user ?? "default")" }

    /// A mirror without children, so that `dump` prints no password.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The server that keeps the sessions.
public enum RedisServer: Sendable {
    /// One server on the network.
    case address(RedisAddress)
    /// One server behind a Unix domain socket.
    case unixSocket(path: String)
    /// The current master of a group, as sentinels tell it.
    ///
    /// The credentials are those of the sentinels, which often have none.
    case sentinels([RedisAddress], master: String, credentials: RedisCredentials? = nil)
}

/// TLS to a server and its sentinels.
public struct RedisTLS: Sendable {
    /// The roots, the client's certificate and its key.
    public var configuration: TLSConfiguration
    /// The name that the server's certificate must have, or nil for the host of its address.
    ///
    /// swift-nio-ssl also accepts a certificate of the address that the connection leads to.
    public var serverName: String?

    /// TLS.
    ///
    /// - Parameters:
    ///   - configuration: The roots, the client's certificate and its key.
    ///   - serverName: The name that the server's certificate must have, or nil for the host of its address. Give it
    ///     where sentinels tell addresses instead of names.
    public init(configuration: TLSConfiguration = .makeClientConfiguration(), serverName: String? = nil) {
        self.configuration = configuration
        self.serverName = serverName
    }
}

/// The settings of a store in Redis.
public struct RedisSessionConfiguration: Sendable {
    /// The server that keeps the sessions.
    public var server: RedisServer
    /// The number of the database.
    public var database: Int
    /// The user of the server; nil, the default, for a server without authentication.
    public var credentials: RedisCredentials?
    /// TLS; nil, the default, for connections in clear.
    public var tls: RedisTLS?
    /// The start of the name of every key and channel: `credentials:` by default.
    ///
    /// Stores with different prefixes share nothing.
    public var keyPrefix: String
    /// The time for a TCP connection: 5 seconds by default.
    ///
    /// TLS and each command of the log-in have ``commandTimeout``.
    public var connectTimeout: Duration
    /// The time for a reply: 2 seconds by default.
    public var commandTimeout: Duration
    /// The time between two probes: PINGs on the connection for notifications, TCP's probes on every idle one; 30 seconds by
    /// default.
    public var keepAliveInterval: Duration
    /// The longest wait after the first failed connection, which doubles with each: 100 milliseconds by default.
    public var firstBackoff: Duration
    /// The longest wait between two attempts to connect: 10 seconds by default.
    public var maximumBackoff: Duration
    /// The largest reply in bytes: 8 MiB by default.
    public var maximumReplySize: Int
    /// The largest number of commands that wait for their replies: 4096 by default.
    public var maximumPendingCommands: Int

    /// Sets the settings; omitted ones have their defaults.
    public init(
        server: RedisServer,
        database: Int = 0,
        credentials: RedisCredentials? = nil,
        tls: RedisTLS? = nil,
        keyPrefix: String = "credentials:",
        connectTimeout: Duration = .seconds(5),
        commandTimeout: Duration = .seconds(2),
        keepAliveInterval: Duration = .seconds(30),
        firstBackoff: Duration = .milliseconds(100),
        maximumBackoff: Duration = .seconds(10),
        maximumReplySize: Int = 8 << 20,
        maximumPendingCommands: Int = 4096
    ) {
        self.server = server
        self.database = database
        self.credentials = credentials
        self.tls = tls
        self.keyPrefix = keyPrefix
        self.connectTimeout = connectTimeout
        self.commandTimeout = commandTimeout
        self.keepAliveInterval = keepAliveInterval
        self.firstBackoff = firstBackoff
        self.maximumBackoff = maximumBackoff
        self.maximumReplySize = maximumReplySize
        self.maximumPendingCommands = maximumPendingCommands
    }

    /// The wait after a number of failures in a row, from half of its bound up to it.
    ///
    /// - Parameters:
    ///   - failures: The number of failures, at least 1.
    ///   - jitter: A random number from 0 to 1.
    func backoff(after failures: Int, jitter: Double) -> Duration {
        let bound = min(firstBackoff.boundedForTimers * (1 << min(max(failures, 1) - 1, 20)), maximumBackoff)
        return bound * (0.5 + min(max(jitter, 0), 1) / 2)
    }
}
#endif
