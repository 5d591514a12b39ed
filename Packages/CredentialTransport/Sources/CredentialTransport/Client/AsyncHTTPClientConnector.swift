#if Client
import AsyncHTTPClient
public import NIOCore
public import NIOSSL

/// A connector over async-http-client, with HTTP/1.1.
///
/// A connection goes to the address that was checked, or through a proxy; TLS names and proves the host of the URL. Nothing
/// is shared between connections: what was checked for one is never used for another.
public struct AsyncHTTPClientConnector: HTTPConnector {
    private let configuration: TLSConfiguration
    private let proxy: HTTPProxy?
    private let proxies: HTTPProxyRules
    private let eventLoopGroup: any EventLoopGroup

    /// A connector.
    ///
    /// - Parameters:
    ///   - tls: The trust anchors and versions of TLS; by default the system's anchors.
    ///   - proxy: The proxy that all connections go through; by default none.
    ///   - eventLoopGroup: The event loops for connections; by default, or with nil, the group that async-http-client
    ///     shares.
    public init(
        tls: TLSConfiguration = .makeClientConfiguration(),
        proxy: HTTPProxy? = nil,
        eventLoopGroup: (any EventLoopGroup)? = nil
    ) {
        configuration = tls
        self.proxy = proxy
        proxies = HTTPProxyRules()
        self.eventLoopGroup = eventLoopGroup ?? HTTPClient.defaultEventLoopGroup
    }

    /// A connector with a choice of proxies.
    ///
    /// - Parameters:
    ///   - tls: The trust anchors and versions of TLS; by default the system's anchors.
    ///   - proxies: The proxy of each URL.
    ///   - eventLoopGroup: The event loops for connections; by default, or with nil, the group that async-http-client
    ///     shares.
    public init(
        tls: TLSConfiguration = .makeClientConfiguration(),
        proxies: HTTPProxyRules,
        eventLoopGroup: (any EventLoopGroup)? = nil
    ) {
        configuration = tls
        proxy = nil
        self.proxies = proxies
        self.eventLoopGroup = eventLoopGroup ?? HTTPClient.defaultEventLoopGroup
    }

    private func proxy(for url: HTTPURL) -> HTTPProxy? { proxy ?? proxies.proxy(for: url) }

    /// A connection, which is opened with its first exchange.
    public func connection(to address: IPAddress, for url: HTTPURL, timeout: Duration) -> any HTTPConnection {
        connection(for: url, at: address, through: proxy(for: url), timeout)
    }

    /// A connection through the proxy of a URL that is told the name of the host; nil for other URLs.
    public func connection(byNameTo url: HTTPURL, timeout: Duration) -> (any HTTPConnection)? {
        guard case .name = url.host, let proxy = proxy(for: url), proxy.hostNaming == .name else { return nil }
        return connection(for: url, at: nil, through: proxy, timeout)
    }

    private func connection(
        for url: HTTPURL,
        at address: IPAddress?,
        through proxy: HTTPProxy?,
        _ timeout: Duration
    ) -> AsyncHTTPClientConnection {
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: configuration,
            redirectConfiguration: .disallow,
            timeout: .init(connect: .milliseconds(max(timeout.wholeMilliseconds, 1))),
            decompression: .disabled
        )
        configuration.httpVersion = .http1Only
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = Self.maximumExchanges
        configuration.proxy = proxy?.configuration
        if case .name(let name) = url.host, let address { configuration.dnsOverride = [name: address.description] }
        let client = HTTPClient(eventLoopGroupProvider: .shared(eventLoopGroup), configuration: configuration)
        return AsyncHTTPClientConnection(client, url.origin)
    }

    /// The largest number of exchanges at the same time over one connection; each has a socket to the same address.
    private static let maximumExchanges = 4
}
#endif
