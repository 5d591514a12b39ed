#if Server
package import CredentialServing
package import CredentialServingOperations
package import Logging

/// The surroundings of every engine of a server: its limit, its log, its metrics, and the proxies before it.
package struct EngineDress {
    private let logger: Logger
    private let metrics: MetricsRegistry
    private let operations: OperationsSettings
    private let proxies: TrustedProxies?

    package init(
        logger: Logger,
        metrics: MetricsRegistry,
        operations: OperationsSettings,
        proxies: TrustedProxies?
    ) {
        self.logger = logger
        self.metrics = metrics
        self.operations = operations
        self.proxies = proxies
    }

    /// The engine with all of it.
    ///
    /// - Parameters:
    ///   - engine: The engine.
    ///   - name: The name of the server in metrics.
    ///   - cors: The engine's policy for scripts of other origins, which the limit's refusals follow.
    ///   - isLimited: Indicates that the configured limit counts for the engine.
    ///   - failureLevel: The level of the log for answers with the status 500; nil for that of all others.
    ///   - refusal: The answer to a client beyond the limit.
    package func dressed(
        _ engine: any HTTPEngine,
        as name: String,
        cors: CORSPolicy? = nil,
        isLimited: Bool = true,
        loggingFailuresAt failureLevel: Logger.Level? = nil,
        refusing refusal: @escaping @Sendable (RateLimitRefusal) -> ServerResponse
    ) -> any HTTPEngine {
        var dressed = engine
        if isLimited, let limit = operations.limit {
            let limiter = RateLimiter(limit, maximumCount: operations.maximumClients)
            dressed = AnyEngine(engine: dressed).limited(by: limiter, cors: cors) { refused, _ in
                refusal(refused)
            }
        }
        let observer = RequestObserver(server: name, logger: logger, failureLevel: failureLevel, metrics: metrics)
        dressed = AnyEngine(engine: dressed).observed(by: observer)
        if let proxies { dressed = AnyEngine(engine: dressed).behind(proxies) }
        return dressed
    }
}

/// An engine of any type.
package struct AnyEngine: HTTPEngine {
    private let engine: any HTTPEngine

    package init(engine: any HTTPEngine) {
        self.engine = engine
    }

    package func response(to request: ServerRequest) async -> ServerResponse { await engine.response(to: request) }
}
#endif
