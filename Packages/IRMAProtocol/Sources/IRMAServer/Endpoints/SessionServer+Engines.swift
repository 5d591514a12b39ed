public import CredentialServing
import HTTPTypes
import IRMAMessages

extension SessionServer {
    /// The endpoints of wallets and frontends (`session/…`, `revocation/…`), to be mounted where ``url`` points.
    public func walletEngine() throws(ServingError) -> RoutedEngine {
        try RoutedEngine(
            walletRoutes + frontendRoutes + revocationRoutes,
            options: try engineOptions(),
            clock: services.clock.timer
        ) { error, request in
            if request.path.utf8.contains(Array("/revocation/".utf8)) {
                return .cbor(.any(error, malformed: .invalidRequest))
            }
            return ServerResponse(.any(error, malformed: .malformedInput))
        }
    }

    /// The endpoints of requestors (`session`, `publickey`, `revocation`, `health`), to be mounted at the root or below a
    /// prefix.
    public func requestorEngine() throws(ServingError) -> RoutedEngine {
        try RoutedEngine(
            requestorRoutes,
            options: try engineOptions(),
            clock: services.clock.timer
        ) { error, _ in
            ServerResponse(.any(error, malformed: .invalidRequest))
        }
    }

    /// Both kinds of endpoints in one server: those of wallets below `irma/`, those of requestors beside it.
    public func engine() throws(ServingError) -> MountedEngines {
        try MountedEngines(["/irma": try walletEngine(), "/": try requestorEngine()])
    }

    /// The policy of all endpoints for scripts of other origins: frontends run on the requestors' pages.
    ///
    /// A rate limit in front of an engine takes it, too, so that a frontend can read the refusal and its `Retry-After`:
    ///
    /// ```swift
    /// let limited = engine.limited(by: limiter, cors: try SessionServer.crossOriginPolicy()) { refusal, _ in
    ///     SessionServer.response(limitedBy: refusal)
    /// }
    /// ```
    public static func crossOriginPolicy() throws(ServingError) -> CORSPolicy {
        try CORSPolicy(
            origins: .any,
            allowedHeaders: [.accept, .authorization, .contentType, .cacheControl],
            exposedHeaders: [.retryAfter],
            preflightStatus: .ok
        )
    }

    /// The answer to a request over a rate limit: `TOO_MANY_REQUESTS`, as wallets and frontends read errors, with `Retry-After`.
    public static func response(limitedBy refusal: RateLimitRefusal) -> ServerResponse {
        var response = ServerResponse(RemoteError(.tooManyRequests))
        response.headerFields[.retryAfter] = refusal.headerValue
        return response
    }

    private func engineOptions() throws(ServingError) -> RoutedEngineOptions {
        RoutedEngineOptions(
            deadline: options.requestDeadline,
            maximumBodySize: options.maximumBodySize,
            ignoresTrailingSlash: true,
            cors: try Self.crossOriginPolicy()
        )
    }
}
