import HTTPTypes

extension HTTPTransport {
    /// The answer to a GET request, after at most `maximumRedirects` redirects.
    ///
    /// A target may be relative to the URL that redirects. Every request goes through ``response(to:)``, so the rules
    /// for the first URL hold for each target too. A target at another host, port or scheme gets none of the fields
    /// that were set on the request, and `https` never leads to `http`.
    ///
    /// - Parameters:
    ///   - request: The request; one with another method is not redirected.
    ///   - maximumRedirects: The largest number of redirects.
    /// - Throws: The errors of ``response(to:)``; ``TransportError/Code/redirected`` for one redirect too many, a
    ///   circular one, or a status that names no new target; ``TransportError/Code/schemeNotAllowed``,
    ///   ``TransportError/Code/invalidURL`` for a malformed target.
    public func response(
        to request: HTTPTransportRequest,
        followingRedirects maximumRedirects: Int
    ) async throws(TransportError) -> HTTPTransportResponse {
        try await following(request, maximumRedirects) { request throws(TransportError) in
            try await response(to: request)
        }
    }
}

extension HTTPStreamingTransport {
    /// The answer to a GET request as soon as its header has come, after at most `maximumRedirects` redirects.
    ///
    /// - Parameters:
    ///   - request: The request; one with another method is not redirected.
    ///   - maximumRedirects: The largest number of redirects.
    /// - Throws: As ``HTTPTransport/response(to:followingRedirects:)``.
    public func stream(
        for request: HTTPTransportRequest,
        followingRedirects maximumRedirects: Int
    ) async throws(TransportError) -> HTTPResponseStream {
        try await following(request, maximumRedirects) { request throws(TransportError) in
            try await stream(for: request)
        }
    }
}

/// Sends a request, and again to the target of each redirect.
private func following<Answer>(
    _ request: HTTPTransportRequest,
    _ maximumRedirects: Int,
    _ send: (HTTPTransportRequest) async throws(TransportError) -> Answer
) async throws(TransportError) -> Answer {
    var request = request
    var visited: Set<HTTPURL> = []
    while true {
        visited.insert(request.url)
        do throws(TransportError) {
            return try await send(request)
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

/// The statuses that name another target for the same resource (RFC 9110, section 15.4).
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
