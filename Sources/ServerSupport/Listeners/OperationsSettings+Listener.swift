#if Server
import CredentialServing
package import CredentialServingHummingbird
package import CredentialServingOperations
package import Logging

extension OperationsSettings {
    /// The listener for metrics and health; nil if none is configured.
    package func listener(
        metrics: MetricsRegistry,
        health: Health,
        logger: Logger
    ) throws -> HummingbirdServer? {
        guard let port else { return nil }
        return HummingbirdServer(
            try OperationsEngine(metrics: metrics, health: health),
            options: HummingbirdServerOptions(host: address, port: port),
            logger: logger
        )
    }
}
#endif
