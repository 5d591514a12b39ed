/// A proxy for outgoing connections, which tunnels them with CONNECT (RFC 9110, 9.3.6), those of `http` URLs too.
///
/// TLS is set up with the host through the tunnel. The proxy itself is reached without TLS.
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

    /// The form in which the proxy is told the host of a URL.
    public enum HostNaming: Hashable, Sendable {
        /// The address that was checked. The proxy resolves nothing, so that the guard against private addresses holds
        /// behind it too.
        case checkedAddress
        /// The name, for networks in which only the proxy resolves names, or judges hosts by them.
        ///
        /// A name that resolves here is checked first, and refused if one of its addresses is not allowed. The proxy
        /// decides about all other names, and about the addresses that it finds itself.
        case name
    }

    /// The name or address of the proxy; the system resolves a name, and the guard is not asked.
    public let host: String
    /// The port of the proxy.
    public let port: UInt16
    /// The proof of the user, or nil for none.
    public let authorization: Authorization?
    /// The form in which the proxy is told the host of a URL.
    public let hostNaming: HostNaming

    /// Describes a proxy.
    ///
    /// - Parameters:
    ///   - host: The name or address of the proxy.
    ///   - port: The port of the proxy.
    ///   - authorization: The proof of the user; by default none.
    ///   - hostNaming: The form in which the proxy is told the host of a URL; by default the checked address.
    public init(
        host: String,
        port: UInt16,
        authorization: Authorization? = nil,
        hostNaming: HostNaming = .checkedAddress
    ) {
        self.host = host
        self.port = port
        self.authorization = authorization
        self.hostNaming = hostNaming
    }
}

extension HTTPProxy: CustomStringConvertible, CustomReflectable {
    /// Host and port; a password is not shown.
    public var description: String { "\(host):\(port)" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension HTTPProxy.Authorization: CustomStringConvertible, CustomReflectable {
    /// The kind of proof; neither name nor password nor token is shown.
    public var description: String {
        switch self {
        case .basic: "basic"
        case .bearer: "bearer"
        }
    }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
