/// Makes connections to addresses that were checked before.
public protocol HTTPConnector: Sendable {
    /// A connection, which may be opened with its first exchange and opened again when the server has closed it.
    ///
    /// An implementation connects to the address and to no other, but proves and names the host of the URL: in TLS, and in
    /// the field `Host`.
    ///
    /// - Parameters:
    ///   - address: The address to connect to, at the port of the URL.
    ///   - url: A URL with the scheme, host and port of all exchanges.
    ///   - timeout: The time for opening the connection.
    func connection(to address: IPAddress, for url: HTTPURL, timeout: Duration) -> any HTTPConnection

    /// A connection through a proxy that finds the host of a URL by its name; nil where a connection needs an address, as by
    /// default.
    ///
    /// - Parameters:
    ///   - url: A URL with the scheme, host and port of all exchanges.
    ///   - timeout: The time for opening the connection.
    func connection(byNameTo url: HTTPURL, timeout: Duration) -> (any HTTPConnection)?
}

extension HTTPConnector {
    /// No connection: each needs an address.
    public func connection(byNameTo url: HTTPURL, timeout: Duration) -> (any HTTPConnection)? { nil }
}

/// A connection to an address that was checked before, or through a proxy that finds the host.
///
/// An implementation resolves no names, follows no redirects, decodes no content encodings, and stops when its task is
/// cancelled. A proxy is given the checked address, since it would resolve a name again, but for
/// ``HTTPConnector/connection(byNameTo:timeout:)``.
public protocol HTTPConnection: Sendable {
    /// Sends a request and feeds the answer to a receiver; returns when the answer is complete.
    ///
    /// Exchanges may run at the same time.
    ///
    /// - Parameters:
    ///   - request: The request, to the scheme, host and port of the connection.
    ///   - receiver: Takes the answer; an error that it throws ends the exchange and is rethrown.
    /// - Throws: ``TransportError/Code/connectionFailed`` only if nothing of the request was sent, since another
    ///   address is then tried; ``TransportError/Code/tlsFailed``; ``TransportError/Code/exchangeFailed``;
    ///   ``TransportError/Code/cancelled``; what the receiver throws.
    func exchange(_ request: HTTPTransportRequest, receiver: any ResponseReceiver) async throws(TransportError)

    /// Closes the connection, and ends its exchanges. It is called once, after which no exchange begins.
    func close() async
}
