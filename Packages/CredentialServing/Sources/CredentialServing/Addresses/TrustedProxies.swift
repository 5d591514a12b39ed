public import CredentialTransport
public import HTTPTypes

/// The proxies that are trusted to report a client's address.
///
/// ```swift
/// let proxies = TrustedProxies([try AddressRange("10.0.0.0/8")], field: .xForwardedFor)
/// let server = engine.behind(proxies)
/// ```
///
/// The field is read only where the connection comes from a listed address, or over a Unix socket where
/// ``trustsUnixSockets`` says so. It is then followed from its end: each
/// listed proxy vouches for the address before its own, and the first address that is not listed is the client's. The
/// rest is not read. An address on the way that cannot be read leaves the connection's address.
public struct TrustedProxies: Sendable {
    /// The field that the proxies write.
    ///
    /// Only one is read: a proxy passes on the other as a client wrote it.
    public enum Field: Hashable, Sendable {
        /// `X-Forwarded-For`.
        case xForwardedFor
        /// `Forwarded` (RFC 7239).
        case forwarded
    }

    /// The addresses of the proxies.
    public let ranges: [AddressRange]
    /// The field that the proxies write.
    public let field: Field
    /// Indicates that every connection over a Unix socket comes from a proxy.
    ///
    /// Such a connection has no address, so that without a proxy's word all its clients share one rate limit.
    public let trustsUnixSockets: Bool

    /// Proxies.
    ///
    /// - Parameters:
    ///   - ranges: The addresses of the proxies.
    ///   - field: The field that they write.
    ///   - trustsUnixSockets: Indicates that every connection over a Unix socket comes from a proxy. Only the proxies may
    ///     have access to the socket.
    public init(_ ranges: [AddressRange], field: Field, trustsUnixSockets: Bool = false) {
        self.ranges = ranges
        self.field = field
        self.trustsUnixSockets = trustsUnixSockets
    }

    /// The address of a request's client; nil for an unknown one over a connection without an address.
    public func clientAddress(of request: ServerRequest) -> IPAddress? {
        if let peer = request.peer { return clientAddress(peer: peer, headerFields: request.headerFields) }
        guard trustsUnixSockets, request.isOverUnixSocket else { return nil }
        return reportedAddress(in: request.headerFields)
    }

    /// The address of a request's client.
    ///
    /// - Parameters:
    ///   - peer: The address of the connection's other end.
    ///   - headerFields: The header of the request.
    public func clientAddress(peer: IPAddress, headerFields: HTTPFields) -> IPAddress {
        let peer = peer.withoutMapping
        guard isListed(peer) else { return peer }
        return reportedAddress(in: headerFields) ?? peer
    }

    private func reportedAddress(in headerFields: HTTPFields) -> IPAddress? {
        let values = headerFields[values: field == .forwarded ? .forwarded : .xForwardedFor]
        return ForwardedHops.client(in: values, field, isProxy: isListed)
    }

    private func isListed(_ address: IPAddress) -> Bool {
        ranges.contains { $0.contains(address) }
    }
}

extension HTTPEngine {
    /// The engine behind proxies, which sees the addresses of clients in ``ServerRequest/remoteAddress``.
    public func behind(_ proxies: TrustedProxies) -> some HTTPEngine {
        ProxiedEngine(engine: self, proxies: proxies)
    }
}

private struct ProxiedEngine<Engine: HTTPEngine>: HTTPEngine {
    let engine: Engine
    let proxies: TrustedProxies

    func response(to request: ServerRequest) async -> ServerResponse {
        var request = request
        request.remoteAddress = proxies.clientAddress(of: request)
        return await engine.response(to: request)
    }
}
