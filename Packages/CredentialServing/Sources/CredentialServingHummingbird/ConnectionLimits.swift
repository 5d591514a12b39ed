#if Server
/// Limits for the connections of a server.
///
/// Limits of bodies and deadlines of requests are the engine's.
public struct ConnectionLimits: Sendable {
    /// The largest number of connections; further ones wait until one is closed: 8,192 by default.
    public var maximumConnections: Int
    /// The time for the header of a request, and for the next piece of a body, after which a connection is closed: 30
    /// seconds by default.
    public var idleTimeout: Duration
    /// The time for TLS, and in HTTP/2 for the first request after it: 10 seconds by default.
    public var handshakeTimeout: Duration
    /// The time for which a client may take nothing of a response: 30 seconds by default.
    ///
    /// It is also the time in which a client over HTTP/2 takes the last 16 KiB.
    public var writeTimeout: Duration
    /// The largest number of bytes in a header: 32 KiB by default.
    public var maximumHeaderSize: Int
    /// The time for which the rest of a refused body is read, so that the client gets the refusal, and for which the server
    /// waits for the client to close a connection that it has ended: 2 seconds by default.
    public var lingeringTime: Duration
    /// The largest number of bytes that are read of a refused body, and of a connection that the server has ended: 16 MiB by
    /// default.
    public var lingeringSize: Int
    /// The time for requests in progress when the server stops; those that take longer are cancelled: 20 seconds by default.
    public var shutdownTimeout: Duration

    /// Sets the limits; omitted ones have their defaults.
    public init(
        maximumConnections: Int = 8192,
        idleTimeout: Duration = .seconds(30),
        handshakeTimeout: Duration = .seconds(10),
        writeTimeout: Duration = .seconds(30),
        maximumHeaderSize: Int = 32 * 1024,
        lingeringTime: Duration = .seconds(2),
        lingeringSize: Int = 16 << 20,
        shutdownTimeout: Duration = .seconds(20)
    ) {
        self.maximumConnections = maximumConnections
        self.idleTimeout = idleTimeout
        self.handshakeTimeout = handshakeTimeout
        self.writeTimeout = writeTimeout
        self.maximumHeaderSize = maximumHeaderSize
        self.lingeringTime = lingeringTime
        self.lingeringSize = lingeringSize
        self.shutdownTimeout = shutdownTimeout
    }
}
#endif
