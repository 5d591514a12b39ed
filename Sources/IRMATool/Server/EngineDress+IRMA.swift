#if Server
import CredentialServing
import IRMAServer
import Logging
import ServerSupport

extension EngineDress {
    /// The engine of a server of IRMA, whose messages are logged at trace level.
    ///
    /// - Parameters:
    ///   - engine: The engine.
    ///   - name: The name of the server in metrics.
    ///   - logger: The log of messages.
    ///   - cors: The engine's policy for scripts of other origins, which the limit's refusals follow.
    func dressed(
        _ engine: any HTTPEngine,
        as name: String,
        loggingTo logger: Logger,
        cors: CORSPolicy? = nil
    ) -> any HTTPEngine {
        let logged = TrafficLog(engine: AnyEngine(engine: engine), logger: logger)
        return dressed(logged, as: name, cors: cors) { SessionServer.response(limitedBy: $0) }
    }
}
#endif
