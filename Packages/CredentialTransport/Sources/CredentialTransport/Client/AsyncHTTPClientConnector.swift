#if Client
import AsyncHTTPClient
import HTTPTypes
public import NIOCore
import NIOHTTP1
public import NIOSSL

/// A connector over async-http-client.
///
/// Each exchange has a connection of its own, over HTTP/1.1, to the address that was checked; TLS names and proves the host of
/// the URL. Nothing is pooled: what was checked for one request is never used for another.
public struct AsyncHTTPClientConnector: HTTPConnector {
    private let configuration: TLSConfiguration
    private let eventLoopGroup: any EventLoopGroup

    /// A connector.
    ///
    /// - Parameters:
    ///   - tls: The trust anchors and versions of TLS; by default the system's anchors.
    ///   - eventLoopGroup: The event loops for connections; by default, or with nil, the group that async-http-client
    ///     shares.
    public init(
        tls: TLSConfiguration = .makeClientConfiguration(),
        eventLoopGroup: (any EventLoopGroup)? = nil
    ) {
        configuration = tls
        self.eventLoopGroup = eventLoopGroup ?? HTTPClient.defaultEventLoopGroup
    }

    /// Sends a request and feeds the answer to a collector.
    public func exchange(
        _ request: HTTPTransportRequest,
        with address: IPAddress,
        collector: inout ResponseCollector
    ) async throws(TransportError) {
        let client = HTTPClient(
            eventLoopGroupProvider: .shared(eventLoopGroup),
            configuration: clientConfiguration(for: request, address)
        )
        let failure = await Self.failure(of: request, client, &collector)
        // The exchange is over: a connection that does not close properly changes nothing for the caller.
        try? await client.shutdown()
        if let failure { throw failure }
    }

    private func clientConfiguration(
        for request: HTTPTransportRequest,
        _ address: IPAddress
    ) -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: configuration,
            redirectConfiguration: .disallow,
            timeout: .init(connect: .milliseconds(Self.connectMilliseconds(request.limits.timeout))),
            decompression: .disabled
        )
        configuration.httpVersion = .http1Only
        configuration.connectionPool.retryConnectionEstablishment = false
        if case .name(let name) = request.url.host { configuration.dnsOverride = [name: address.description] }
        return configuration
    }

    /// The time for a connection: a share of the whole, so that there is some left for the host's next address.
    private static func connectMilliseconds(_ timeout: Duration) -> Int64 {
        let (seconds, attoseconds) = timeout.components
        let whole = min(max(seconds, 0), 3600) * 1000 + attoseconds / 1_000_000_000_000_000
        return max(whole / Int64(GuardedHTTPTransport.maximumAttempts), 1)
    }

    private static func failure(
        of request: HTTPTransportRequest,
        _ client: HTTPClient,
        _ collector: inout ResponseCollector
    ) async -> TransportError? {
        do {
            let response = try await client.execute(clientRequest(request), deadline: .distantFuture)
            try collector.receive(head: head(of: response))
            for try await piece in response.body { try collector.receive(piece.readableBytesView) }
            return nil
        } catch {
            return TransportError(exchanging: error, with: request)
        }
    }

    private static func clientRequest(_ request: HTTPTransportRequest) -> HTTPClientRequest {
        var clientRequest = HTTPClientRequest(url: request.url.description)
        clientRequest.method = .init(rawValue: request.method.rawValue)
        for field in request.headerFields { clientRequest.headers.add(name: field.name.rawName, value: field.value) }
        if request.method == .post { clientRequest.body = .bytes(request.body) }
        return clientRequest
    }

    /// Status and header; fields whose names or values are not HTTP are left out.
    private static func head(of response: HTTPClientResponse) -> HTTPResponse {
        var fields = HTTPFields()
        for (name, value) in response.headers {
            guard let name = HTTPField.Name(name), HTTPField.isValidValue(value) else { continue }
            fields.append(HTTPField(name: name, value: value))
        }
        return HTTPResponse(status: .init(code: Int(response.status.code)), headerFields: fields)
    }
}
#endif
