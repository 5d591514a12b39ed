/// What fetches and posts over HTTP for everything above: key sets, status lists, requests, responses.
///
/// The layers above see nothing but this. ``GuardedHTTPTransport`` is the one for production; ``InMemoryHTTPTransport`` stands
/// in for it where there is no network. Whoever writes another one keeps the promises of ``response(to:)``.
public protocol HTTPTransport: Sendable {
    /// The answer to a request.
    ///
    /// It has one of the statuses and content types that the request accepts and is complete, within the limits of size and
    /// time. Redirects are not followed; ``response(to:followingRedirects:)`` does that.
    ///
    /// - Throws: A ``TransportError``: the URL may not be contacted, no answer came, or it breaks a condition of the request.
    func response(to request: HTTPTransportRequest) async throws(TransportError) -> HTTPTransportResponse
}
