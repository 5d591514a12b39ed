import CredentialTransport

extension HTTPTransport {
    /// The body at a URI, after as many redirects as are allowed; every target is checked as the first URL was.
    ///
    /// - Throws: `TransportError`; that of the redirect where they lead in a circle, or too far.
    func body(
        at uri: String,
        accepting accepted: AcceptedContent,
        limits: HTTPLimits,
        redirects: Int
    ) async throws(TransportError) -> [UInt8] {
        var url = try HTTPURL(uri)
        var visited: Set<HTTPURL> = []
        while true {
            visited.insert(url)
            do throws(TransportError) {
                let request = HTTPTransportRequest.get(
                    url,
                    accepting: accepted,
                    statuses: Set(200...299),
                    limits: limits
                )
                return try await response(to: request).body
            } catch {
                guard error.code == .redirected, visited.count <= redirects, let target = error.redirectTarget else {
                    throw error
                }
                url = try HTTPURL(target)
                if visited.contains(url) { throw error }
            }
        }
    }
}
