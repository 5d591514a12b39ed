/// Sends requests over HTTP for the layers above: key sets, status lists, requests, responses.
///
/// The layers above see only this protocol, or ``HTTPStreamingTransport`` where answers are read as they arrive.
/// ``GuardedHTTPTransport`` is for production; ``InMemoryHTTPTransport`` replaces it where there is no network. Another
/// implementation keeps the promises of ``response(to:)``.
public protocol HTTPTransport: Sendable {
    /// The answer to a request.
    ///
    /// It has one of the statuses and content types that the request accepts and is complete, within the limits of size and
    /// time. Redirects are not followed; ``response(to:followingRedirects:)`` does that.
    ///
    /// - Throws: A ``TransportError``: the URL may not be contacted, no answer came, or it breaks a condition of the request.
    func response(to request: HTTPTransportRequest) async throws(TransportError) -> HTTPTransportResponse

    /// Refuses a URL that no request may be sent to, by what stands in it: nothing is resolved, and nothing is sent.
    ///
    /// It is for a URL that is to be called later. ``response(to:)`` makes the same check, and refuses more: the host of a URL
    /// that passes here may have a forbidden address.
    ///
    /// - Throws: A ``TransportError`` with the code of the refusal, such as ``TransportError/Code-swift.struct/schemeNotAllowed``.
    func requireAllowed(_ url: HTTPURL) throws(TransportError)
}

extension HTTPTransport {
    /// Refuses no URL: for a transport without rules about URLs.
    public func requireAllowed(_ url: HTTPURL) throws(TransportError) {}
}

/// A transport whose answers can be read as they arrive, and whose connections can be kept for a session.
public protocol HTTPStreamingTransport: HTTPTransport {
    /// The answer to a request, as soon as its header has come.
    ///
    /// - Throws: As ``HTTPTransport/response(to:)``; what the body is refused for is thrown if it is read.
    func stream(for request: HTTPTransportRequest) async throws(TransportError) -> HTTPResponseStream

    /// A transport that resolves and checks the host of a URL once, keeps its connection to it, and never connects that host
    /// anywhere else. Requests to other hosts, ports and schemes have connections of their own.
    ///
    /// An ``HTTPSession`` uses it. A transport without connections returns itself.
    func keepingConnection(to url: HTTPURL) -> any HTTPStreamingTransport

    /// Closes the connections that the transport keeps; a transport without kept connections does nothing.
    func close() async
}
