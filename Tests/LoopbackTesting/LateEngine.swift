#if Server && Client
public import CredentialServing
import HTTPTypes
import Synchronization

/// An engine that answers once another one is there: engines are made for a URL, and a port is known only when it is open.
public final class LateEngine: HTTPEngine {
    private let engine = Mutex<(any HTTPEngine)?>(nil)

    /// An engine that answers with status 503 at first.
    public init() {}

    /// Puts an engine behind it.
    public func open(_ engine: any HTTPEngine) {
        self.engine.withLock { $0 = engine }
    }

    /// The answer of the engine behind it.
    public func response(to request: ServerRequest) async -> ServerResponse {
        guard let engine = engine.withLock({ $0 }) else { return ServerResponse(.serviceUnavailable) }
        return await engine.response(to: request)
    }
}
#endif
