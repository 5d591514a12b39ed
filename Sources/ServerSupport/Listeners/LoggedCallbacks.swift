#if Server
package import CredentialTransport
package import Logging

/// The transport to requestors' URLs, for results and next sessions: each attempt that fails is in the log, with the host alone.
package struct LoggedCallbacks: HTTPTransport {
    private let transport: any HTTPTransport
    private let logger: Logger
    private let countFailure: @Sendable () -> Void

    /// A transport whose failures are logged.
    ///
    /// - Parameters:
    ///   - transport: Sends the requests.
    ///   - logger: The log.
    ///   - countFailure: Called for each attempt that fails.
    package init(
        _ transport: any HTTPTransport,
        logger: Logger,
        countingFailures countFailure: @escaping @Sendable () -> Void = {}
    ) {
        self.transport = transport
        self.logger = logger
        self.countFailure = countFailure
    }

    package func response(to request: HTTPTransportRequest) async throws(TransportError) -> HTTPTransportResponse {
        do throws(TransportError) {
            return try await transport.response(to: request)
        } catch {
            countFailure()
            logger.warning(
                "a requestor's URL could not be called",
                metadata: ["address": "\(request.url.host)", "error": "\(error)"]
            )
            throw error
        }
    }

    package func requireAllowed(_ url: HTTPURL) throws(TransportError) { try transport.requireAllowed(url) }
}
#endif
