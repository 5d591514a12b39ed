@_spi(Layers) import CredentialTransport

/// A clock that runs down.
struct RemainingTime: Sendable {
    private let remaining: @Sendable () -> Duration

    /// Starts with a time on a clock.
    init(_ time: Duration, on clock: any Clock<Duration>) {
        func start(_ clock: some Clock<Duration>) -> @Sendable () -> Duration {
            let end = clock.now.advanced(by: time.boundedForTimers)
            return { clock.now.duration(to: end) }
        }
        remaining = start(clock)
    }

    /// The time that is left; 0 or less when it is up.
    var now: Duration { remaining() }
}

extension HTTPTransport {
    /// The answer of one of some media types.
    ///
    /// - Parameters:
    ///   - url: The address.
    ///   - types: The media types, without `application/`.
    ///   - limits: The limits for size and time.
    ///   - refusal: The code of the error for an answer that is not the document.
    /// - Throws: ``FederationError/Code/retrievalFailed`` where no answer came; an error with the code for an answer that says
    ///   that there is nothing, or is of another type.
    func document(
        at url: HTTPURL,
        types: [String],
        _ limits: HTTPLimits,
        refusal: FederationError.Code
    ) async throws(FederationError) -> HTTPTransportResponse {
        do throws(TransportError) {
            let types = try types.map { type throws(TransportError) in try MediaType("application/" + type) }
            return try await response(to: .get(url, accepting: AcceptedContent(types), limits: limits))
        } catch {
            let code = error.isFinalAnswer ? refusal : .retrievalFailed
            throw FederationError(code, "\(url) cannot be fetched", cause: error.withoutPlace)
        }
    }
}

extension TransportError {
    /// Indicates an answer that another request would get again.
    fileprivate var isFinalAnswer: Bool {
        if code == .unexpectedStatus, let status {
            return (400..<500).contains(status) && status != 408 && status != 429
        }
        return [.contentTypeNotAccepted, .contentEncodingNotAccepted, .bodyTooLarge, .redirected].contains(code)
    }
}
