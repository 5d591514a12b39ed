#if Client
import AsyncHTTPClient

/// A proxy for outgoing connections, which tunnels them with CONNECT (RFC 9110, 9.3.6).
///
/// The proxy is told the address that was checked, not the name of the host: it resolves nothing, so that the guard
/// against private addresses holds behind it too. TLS is set up with the host through the tunnel.
///
/// ```swift
/// let connector = AsyncHTTPClientConnector(proxy: HTTPProxy(host: "proxy.internal", port: 3128))
/// let transport = GuardedHTTPTransport(connector: connector)
/// ```
public struct HTTPProxy: Sendable {
    /// The proof of the user of a proxy.
    public enum Authorization: Sendable {
        /// A name and a password (RFC 7617), in the clear on the way to the proxy.
        case basic(username: String, password: String)
        /// A bearer token (RFC 6750).
        case bearer(String)
    }

    /// The name or address of the proxy; the system resolves a name, and the guard is not asked.
    public let host: String
    /// The port of the proxy.
    public let port: UInt16
    /// The proof of the user, or nil for none.
    public let authorization: Authorization?

    /// Describes a proxy.
    public init(host: String, port: UInt16, authorization: Authorization? = nil) {
        self.host = host
        self.port = port
        self.authorization = authorization
    }

    var configuration: HTTPClient.Configuration.Proxy {
        let authorization: HTTPClient.Authorization? =
            switch authorization {
            case .basic(let username, let password): .basic(username: username, password: password)
            case .bearer(let token): .bearer(tokens: token)
            case nil: nil
            }
        return .server(host: host, port: Int(port), authorization: authorization)
    }
}

extension HTTPProxy: CustomStringConvertible {
    /// Host and port; a password is not shown.
    public var description: String { "\(host):\(port)" }
}
#endif
