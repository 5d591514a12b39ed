#if PostgreSQL
/// The settings of a store in PostgreSQL.
///
/// TLS is a part of the connection string: `sslmode=verify-full sslrootcert=/etc/ssl/db.pem` accepts a server with a
/// certificate of its name only. libpq's own default, `prefer`, also connects in clear.
public struct PostgreSQLConfiguration: Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The connection string of libpq, as keywords and values or as a URL; it may hold a password.
    public var connectionString: String
    /// The largest number of connections: 8 by default.
    public var maximumConnections: Int
    /// The largest number of calls that wait for a connection: 1024 by default; further ones are refused.
    public var maximumWaitingCalls: Int
    /// The time for a connection, with TLS and log-in: 5 seconds by default.
    public var connectTimeout: Duration
    /// The time for the answer to a statement, with its waits for locks: 5 seconds by default.
    public var statementTimeout: Duration
    /// The longest wait after the first failed connection, which doubles with each: 100 milliseconds by default.
    public var firstBackoff: Duration
    /// The longest wait between two attempts to connect: 10 seconds by default.
    public var maximumBackoff: Duration

    /// Sets the settings; omitted ones have their defaults.
    public init(
        connectionString: String,
        maximumConnections: Int = 8,
        maximumWaitingCalls: Int = 1024,
        connectTimeout: Duration = .seconds(5),
        statementTimeout: Duration = .seconds(5),
        firstBackoff: Duration = .milliseconds(100),
        maximumBackoff: Duration = .seconds(10)
    ) {
        self.connectionString = connectionString
        self.maximumConnections = maximumConnections
        self.maximumWaitingCalls = maximumWaitingCalls
        self.connectTimeout = connectTimeout
        self.statementTimeout = statementTimeout
        self.firstBackoff = firstBackoff
        self.maximumBackoff = maximumBackoff
    }

    /// The number of connections, without the connection string.
    public var description: String { "PostgreSQL with at most \(maximumConnections) connections" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children, so that `dump` prints no password.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// The wait after a number of failures in a row, from half of its bound up to it.
    ///
    /// - Parameters:
    ///   - failures: The number of failures, at least 1.
    ///   - jitter: A random number from 0 to 1.
    package func backoff(after failures: Int, jitter: Double) -> Duration {
        let bound = min(firstBackoff * (1 << min(max(failures, 1) - 1, 20)), maximumBackoff)
        return bound * (0.5 + min(max(jitter, 0), 1) / 2)
    }
}
#endif
