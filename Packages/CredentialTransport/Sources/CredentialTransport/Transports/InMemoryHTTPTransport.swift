import HTTPTypes
import Synchronization

/// A transport without a network, for tests and for flows within one process.
///
/// It keeps what the requests' limits promise, as the real one does: an answer that is too long, of another type or a
/// redirect is refused with the same error. Requests are recorded.
///
/// ```swift
/// let transport = InMemoryHTTPTransport(["https://issuer.example/jwks": .ok(keys, type: .json)])
/// let response = try await transport.response(to: .get(url, accepting: [.json]))
/// transport.requests.count   // 1
/// ```
public final class InMemoryHTTPTransport: HTTPStreamingTransport {
    /// Makes the answers: status, header and body, or an error.
    ///
    /// An error of another type than ``TransportError`` becomes the cause of one with the code
    /// ``TransportError/Code-swift.struct/exchangeFailed``.
    public typealias Handler = @Sendable (HTTPTransportRequest) async throws -> InMemoryHTTPAnswer

    private let addressGuard: AddressGuard
    private let clock: any Clock<Duration>
    private let handler: Handler
    private let received = Mutex<[HTTPTransportRequest]>([])

    /// A transport whose answers a function gives.
    ///
    /// - Parameters:
    ///   - addressGuard: The permitted targets of requests; there are no addresses, so only the URL itself is checked.
    ///   - clock: The clock for the time limits of streams. There is nothing else to wait for.
    ///   - handler: Makes the answers; it ends early when its task is cancelled.
    public init(
        addressGuard: AddressGuard = AddressGuard(),
        clock: any Clock<Duration> = ContinuousClock(),
        handler: @escaping Handler
    ) {
        self.addressGuard = addressGuard
        self.clock = clock
        self.handler = handler
    }

    /// A transport with one answer for each URL, and status 404 for all others.
    public convenience init(_ answers: [String: InMemoryHTTPAnswer], addressGuard: AddressGuard = AddressGuard()) {
        self.init(addressGuard: addressGuard) { request in
            answers[request.url.description] ?? InMemoryHTTPAnswer(status: 404)
        }
    }

    /// The requests that came, the first one first.
    public var requests: [HTTPTransportRequest] {
        received.withLock { $0 }
    }

    /// The answer to a request.
    public func response(to request: HTTPTransportRequest) async throws(TransportError) -> HTTPTransportResponse {
        let collector = ResponseCollector(for: request)
        try await exchange(request, collector)
        return try collector.finish()
    }

    /// Refuses a URL that the guard does not allow.
    public func requireAllowed(_ url: HTTPURL) throws(TransportError) { try addressGuard.requireAllowed(url) }

    /// The answer to a request, as soon as its header has come.
    public func stream(for request: HTTPTransportRequest) async throws(TransportError) -> HTTPResponseStream {
        try await HTTPResponseStream.open(request, clock: clock) { receiver throws(TransportError) in
            try await self.exchange(request, receiver)
        }
    }

    /// The transport itself: it has no connections.
    public func keepingConnection(to url: HTTPURL) -> any HTTPStreamingTransport { self }

    /// Does nothing.
    public func close() async {}

    private func exchange(
        _ request: HTTPTransportRequest,
        _ receiver: any ResponseReceiver
    ) async throws(TransportError) {
        try addressGuard.requireAllowed(request.url)
        received.withLock { $0.append(request) }
        try await answer(to: request).send(to: receiver)
    }

    private func answer(to request: HTTPTransportRequest) async throws(TransportError) -> InMemoryHTTPAnswer {
        do {
            return try await handler(request)
        } catch let error as TransportError {
            throw error
        } catch is CancellationError {
            throw TransportError(.cancelled, "the task was cancelled")
        } catch {
            throw TransportError(.exchangeFailed, "the handler of the transport throws", cause: error)
        }
    }
}
