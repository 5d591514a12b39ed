#if Server
import CredentialTransport
import Logging

/// The transport to requestors' URLs, for results and next sessions: each attempt that fails is in the log, with the host alone.
struct LoggedCallbacks: HTTPTransport {
    private let transport: any HTTPTransport
    private let logger: Logger

    init(_ transport: any HTTPTransport, logger: Logger) {
        self.transport = transport
        self.logger = logger
    }

    func response(to request: HTTPTransportRequest) async throws(TransportError) -> HTTPTransportResponse {
        do throws(TransportError) {
            return try await transport.response(to: request)
        } catch {
            logger.warning(
                "a requestor's URL could not be called",
                metadata: ["address": "\(request.url.host)", "error": "\(error)"]
            )
            throw error
        }
    }
}
#endif
