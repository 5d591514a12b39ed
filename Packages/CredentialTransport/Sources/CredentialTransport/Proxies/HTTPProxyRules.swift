/// The choice of a proxy for each URL: one for `https`, one for `http`, and the hosts that are reached without one.
///
/// ```swift
/// let proxy = try HTTPProxy(url: "http://proxy.internal:3128", hostNaming: .name)
/// let rules = HTTPProxyRules(https: proxy, exceptions: try HTTPProxyExceptions("internal, 10.0.0.0/8"))
/// let transport = GuardedHTTPTransport(connector: AsyncHTTPClientConnector(proxies: rules))
/// ```
public struct HTTPProxyRules: Sendable {
    /// The proxy for `https` URLs, or nil for none.
    public var https: HTTPProxy?
    /// The proxy for `http` URLs, or nil for none.
    public var http: HTTPProxy?
    /// The hosts that are reached without a proxy.
    public var exceptions: HTTPProxyExceptions

    /// Sets the rules; omitted ones mean no proxy and no exceptions.
    public init(
        https: HTTPProxy? = nil,
        http: HTTPProxy? = nil,
        exceptions: HTTPProxyExceptions = HTTPProxyExceptions()
    ) {
        self.https = https
        self.http = http
        self.exceptions = exceptions
    }

    /// The proxy for a URL, or nil for one that is reached without.
    ///
    /// `localhost` and loopback addresses never have one: they would be the proxy's own.
    public func proxy(for url: HTTPURL) -> HTTPProxy? {
        let isLocal =
            switch url.host {
            case .name(let name): name == "localhost"
            case .address(let address): address.kind == .loopback
            }
        guard !isLocal, !exceptions.contains(url) else { return nil }
        return url.scheme == .https ? https : http
    }
}
