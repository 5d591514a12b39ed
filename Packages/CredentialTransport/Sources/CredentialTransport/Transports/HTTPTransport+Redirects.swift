import HTTPTypes

extension HTTPTransport {
    /// The answer to a GET request, after as many redirects as are allowed.
    ///
    /// A target may be relative to the URL that redirects. Every request goes through ``response(to:)``, so that each target
    /// is checked as the first URL was. A target at another host, port or scheme gets none of the fields that were set on the
    /// request, and `https` never leads to `http`.
    ///
    /// - Parameters:
    ///   - request: The request; that of another method is not redirected.
    ///   - maximumRedirects: How many redirects are followed.
    /// - Throws: What ``response(to:)`` throws; ``TransportError/Code/redirected`` for one redirect too many, one in a circle
    ///   and one of a status that names no new place; ``TransportError/Code/schemeNotAllowed``,
    ///   ``TransportError/Code/invalidURL`` for a target that is no URL.
    public func response(
        to request: HTTPTransportRequest,
        followingRedirects maximumRedirects: Int
    ) async throws(TransportError) -> HTTPTransportResponse {
        var request = request
        var visited: Set<HTTPURL> = []
        while true {
            visited.insert(request.url)
            do throws(TransportError) {
                return try await response(to: request)
            } catch {
                guard error.code == .redirected, let status = error.status, followedStatuses.contains(status),
                    request.method == .get, visited.count <= maximumRedirects, let target = error.redirectTarget
                else { throw error }
                let url = try request.url.redirected(to: target)
                if visited.contains(url) { throw error }
                request = request.redirected(to: url)
            }
        }
    }
}

/// The statuses that name another place for the same resource (RFC 9110, section 15.4).
private let followedStatuses: Set<Int> = [301, 302, 303, 307, 308]

extension HTTPURL {
    fileprivate func redirected(to target: String) throws(TransportError) -> HTTPURL {
        let url: HTTPURL
        do throws(TransportError) {
            url = try resolving(target)
        } catch {
            throw TransportError(error.code, "the target of the redirect \(error.message)", path: [description])
        }
        guard scheme == .http || url.scheme == .https else {
            throw TransportError(.schemeNotAllowed, "a redirect from https to http", path: [description])
        }
        return url
    }
}
