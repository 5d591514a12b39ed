#if Server
/// The address, the certificate and the limits of a ``HummingbirdServer``.
public struct HummingbirdServerOptions: Sendable {
    /// The address to listen at, as a name or a number: 127.0.0.1 by default.
    public var host: String
    /// The port to listen at, or 0 for one that the system chooses: 8080 by default.
    public var port: Int
    /// The certificate for TLS, or nil for plain HTTP/1.1, behind a proxy.
    public var certificate: ServerCertificate?
    /// The limits for connections.
    public var limits: ConnectionLimits

    /// Sets the options; omitted ones have their defaults.
    public init(
        host: String = "127.0.0.1",
        port: Int = 8080,
        certificate: ServerCertificate? = nil,
        limits: ConnectionLimits = ConnectionLimits()
    ) {
        self.host = host
        self.port = port
        self.certificate = certificate
        self.limits = limits
    }
}
#endif
