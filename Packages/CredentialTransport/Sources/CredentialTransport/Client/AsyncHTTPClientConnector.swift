#if Client
import AsyncHTTPClient
public import NIOCore
public import NIOSSL

/// A connector over async-http-client, with HTTP/1.1.
///
/// A connection goes to the address that was checked; TLS names and proves the host of the URL. Nothing is shared between
/// connections: what was checked for one is never used for another.
public struct AsyncHTTPClientConnector: HTTPConnector {
    private let configuration: TLSConfiguration
    private let proxy: HTTPProxy?
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
        self.eventLoopGroup = eventLoopGroup ?? HTTPClient.defaultEventLoopGroup
    }

    /// A connection, which is opened with its first exchange.
    public func connection(to address: IPAddress, for url: HTTPURL, timeout: Duration) -> any HTTPConnection {
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: configuration,
            redirectConfiguration: .disallow,
            timeout: .init(connect: .milliseconds(Self.milliseconds(timeout))),
            decompression: .disabled
        )
        configuration.httpVersion = .http1Only
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = Self.maximumExchanges
        configuration.proxy = proxy?.configuration
        if case .name(let name) = url.host { configuration.dnsOverride = [name: address.description] }
        let client = HTTPClient(eventLoopGroupProvider: .shared(eventLoopGroup), configuration: configuration)
        return AsyncHTTPClientConnection(client, url.origin)
    }

    /// The largest number of exchanges at the same time over one connection; each has a socket to the same address.
    private static let maximumExchanges = 4

    private static func milliseconds(_ timeout: Duration) -> Int64 {
        let (seconds, attoseconds) = timeout.components
        let whole = min(max(seconds, 0), 3600) * 1000
        return max(whole + max(attoseconds, 0) / 1_000_000_000_000_000, 1)
    }
}
#endif
