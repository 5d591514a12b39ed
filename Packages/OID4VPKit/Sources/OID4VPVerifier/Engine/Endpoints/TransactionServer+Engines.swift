public import CredentialServing
import CredentialTransport
import HTTPTypes
@_spi(Layers) import VerificationCore

extension TransactionServer {
    /// The endpoints of wallets and of pages that show a QR code (`request/…`, `response…`, `frontend/…`), to be mounted where
    /// ``url`` points.
    public func walletEngine() throws(ServingError) -> RoutedEngine {
        try engine(walletRoutes + frontendRoutes, cors: CORSPolicy(origins: .any))
    }

    /// The endpoints of requestors (`transactions…`, `keys`), to be mounted at the root or below a prefix.
    ///
    /// Scripts of other origins cannot read its answers.
    public func requestorEngine() throws(ServingError) -> RoutedEngine {
        try engine(requestorRoutes, cors: nil)
    }

    /// Both kinds of endpoints in one server: those of wallets below the path of ``url``, those of requestors beside it.
    ///
    /// - Throws: `ServingError` with code `invalidRoute` for a URL without a path.
    public func engine() throws(ServingError) -> MountedEngines {
        let path = (try? HTTPURL(url).path) ?? "/"
        guard path != "/" else {
            throw ServingError(.invalidRoute, "the URL has no path for the endpoints of wallets", path: [url])
        }
        return try MountedEngines([path: try walletEngine(), "/": try requestorEngine()])
    }

    /// The answer to a client beyond a limit on calls, in the form of the others.
    public static func response(limitedBy refusal: RateLimitRefusal) -> ServerResponse {
        var response = ServerResponse(TransactionError(.tooManyCalls, "too many calls in a short time"))
        response.headerFields[.retryAfter] = refusal.headerValue
        return response
    }

    private func engine(_ routes: [ServerRoute], cors: CORSPolicy?) throws(ServingError) -> RoutedEngine {
        try RoutedEngine(
            routes,
            options: RoutedEngineOptions(
                deadline: options.callDeadline,
                maximumBodySize: options.maximumCallSize,
                cors: cors
            ),
            clock: services.clock.timer
        ) { error, _ in
            TransactionError.any(error).map(ServerResponse.init)
        }
    }
}

extension ServerResponse {
    /// An answer in JSON that no cache keeps.
    static func uncached(_ json: [UInt8], status: HTTPResponse.Status = .ok) -> ServerResponse {
        var response = ServerResponse.json(json, status: status)
        response.headerFields[.cacheControl] = "no-store"
        return response
    }

    /// The answer for an error: its code and message, and the place and the cause of what a caller can mend.
    init(_ error: TransactionError) {
        var text = error.message
        if error.code == .invalidRequest {
            let path = error.path.joined(separator: ".").escapedForDisplay()
            text = (path.isEmpty ? "" : path + ": ") + error.messageWithCause
        }
        self = .uncached(JSONText.error(error.code.description, text), status: error.code.status)
        if error.code == .unauthorized { headerFields[.wwwAuthenticate] = "Bearer" }
    }
}

extension TransactionError {
    /// The error for anything that a handler throws; `nil` for an answer of the HTTP layer.
    static func any(_ error: any Error) -> TransactionError? {
        switch error {
        case let error as TransactionError: error
        case let error as ServingError: TransactionError(error)
        case let error as SessionStoreError: TransactionError(error)
        case is CancellationError: nil
        default: TransactionError(.internalError, "the call failed")
        }
    }
}
