import HTTPTypes

extension ServingError.Code {
    /// The client or requestor has made too many requests; `Retry-After` says when to come back.
    public static let tooManyRequests = ServingError.Code("tooManyRequests", status: .tooManyRequests)
}

extension RateLimiter {
    /// Takes a token for a request.
    ///
    /// Handlers call it once they know the requestor. The error's cause is a ``RateLimitRefusal``, from which an
    /// engine's hook for errors makes a response by ``ServerResponse/init(limitedBy:)``.
    ///
    /// - Throws: ``ServingError/Code/tooManyRequests`` if there is no token.
    public func requireToken(_ key: RateLimitKey) throws(ServingError) {
        guard case .refused(let time) = take(key) else { return }
        throw RateLimitRefusal(retryAfter: time).error
    }
}

/// The refusal of a request by a limit.
public struct RateLimitRefusal: Error, Hashable, Sendable {
    /// The time until a request is let through.
    public let retryAfter: Duration

    /// A refusal.
    public init(retryAfter: Duration) {
        self.retryAfter = retryAfter
    }

    /// The value of `Retry-After` (RFC 9110 section 10.2.3): whole seconds, at least 1.
    public var headerValue: String {
        let (seconds, attoseconds) = retryAfter.components
        return String(max(1, attoseconds > 0 ? seconds.addingReportingOverflow(1).partialValue : seconds))
    }

    /// The refusal as an error of the server seam.
    public var error: ServingError {
        ServingError(.tooManyRequests, "too many requests", cause: self)
    }
}

extension ServerResponse {
    /// The default answer to a request over its limit: 429 with `Retry-After`.
    public init(limitedBy refusal: RateLimitRefusal) {
        self.init(refusing: refusal.error)
        headerFields[.retryAfter] = refusal.headerValue
    }
}

extension HTTPEngine {
    /// The engine behind a limit for each client.
    ///
    /// Put it inside of ``HTTPEngine/behind(_:)``, so that clients behind a proxy are told apart. A refused request
    /// does not reach the engine, nor is its body read. A preflight request of a browser is let through and takes no
    /// token.
    ///
    /// - Parameters:
    ///   - limiter: The buckets.
    ///   - key: The party that a request counts for, or nil for a request without a limit; the remote address by
    ///     default.
    ///   - cors: The policy for scripts of other origins, which need it to read a refusal; nil for none.
    ///   - response: The response to a refused request.
    public func limited(
        by limiter: RateLimiter,
        key: @escaping @Sendable (ServerRequest) -> RateLimitKey? = { .address($0.remoteAddress) },
        cors: CORSPolicy? = nil,
        response: @escaping @Sendable (RateLimitRefusal, ServerRequest) -> ServerResponse = { refusal, _ in
            ServerResponse(limitedBy: refusal)
        }
    ) -> some HTTPEngine {
        RateLimitedEngine(engine: self, limiter: limiter, key: key, cors: cors, refusal: response)
    }
}

private struct RateLimitedEngine<Engine: HTTPEngine>: HTTPEngine {
    let engine: Engine
    let limiter: RateLimiter
    let key: @Sendable (ServerRequest) -> RateLimitKey?
    let cors: CORSPolicy?
    let refusal: @Sendable (RateLimitRefusal, ServerRequest) -> ServerResponse

    func response(to request: ServerRequest) async -> ServerResponse {
        guard !request.isPreflight, let key = key(request), case .refused(let time) = limiter.take(key) else {
            return await engine.response(to: request)
        }
        var response = refusal(RateLimitRefusal(retryAfter: time), request)
        cors?.apply(to: &response, for: request)
        return response
    }
}
