/// Carries one exchange over a connection to an address that was checked before.
///
/// An implementation connects to that address and to no other, but proves and names the host of the URL: in TLS, and in the
/// field `Host`. It resolves no names, follows no redirects, uses no proxy, decodes no content encodings, and stops when its
/// task is cancelled.
public protocol HTTPConnector: Sendable {
    /// Sends a request and feeds the answer to a collector.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - address: The address to connect to, at the port of the request's URL.
    ///   - collector: Takes the answer; an error that it throws ends the exchange and is rethrown.
    /// - Throws: ``TransportError/Code/connectionFailed`` only where nothing of the request was sent, since another address
    ///   is then tried; ``TransportError/Code/tlsFailed``; ``TransportError/Code/exchangeFailed``;
    ///   ``TransportError/Code/cancelled``; what the collector throws.
    func exchange(
        _ request: HTTPTransportRequest,
        with address: IPAddress,
        collector: inout ResponseCollector
    ) async throws(TransportError)
}
