package import CredentialTransport

extension HTTPTransport {
    /// The body at a URI, after as many redirects as are allowed; every target is checked as the first URL was.
    ///
    /// - Throws: `TransportError`; that of the redirect where they lead in a circle, or too far.
    package func body(
        at uri: String,
        accepting accepted: AcceptedContent,
        limits: HTTPLimits,
        redirects: Int
    ) async throws(TransportError) -> [UInt8] {
        let request = HTTPTransportRequest.get(
            try HTTPURL(uri),
            accepting: accepted,
            statuses: .successful,
            limits: limits
        )
        return try await response(to: request, followingRedirects: redirects).body
    }
}
