/// Fetches and posts over HTTP for the layers above: key sets, status lists, requests, responses.
///
/// The layers above see only this protocol. ``GuardedHTTPTransport`` is for production; ``InMemoryHTTPTransport``
/// replaces it where there is no network. Another implementation keeps the promises of ``response(to:)``.
public protocol HTTPTransport: Sendable {
    /// The answer to a request.
    ///
    /// It has one of the statuses and content types that the request accepts and is complete, within the limits of size and
    /// time. Redirects are not followed; ``response(to:followingRedirects:)`` does that.
    ///
    /// - Throws: A ``TransportError``: the URL may not be contacted, no answer came, or it breaks a condition of the request.
    func response(to request: HTTPTransportRequest) async throws(TransportError) -> HTTPTransportResponse
}
