import HTTPTypes
import Synchronization

/// A transport without a network, for tests and for flows within one process.
///
/// It keeps what the requests' limits promise, as the real one does: an answer that is too long, of another type or a redirect
/// is refused with the same error. What it was asked for is recorded.
///
/// ```swift
/// let transport = InMemoryHTTPTransport(["https://issuer.example/jwks": .ok(keys, type: .json)])
/// let response = try await transport.response(to: .get(url, accepting: [.json]))
/// transport.requests.count   // 1
/// ```
public final class InMemoryHTTPTransport: HTTPTransport {
    /// Makes the answers: status, header and body, or an error.
    public typealias Handler =
        @Sendable (HTTPTransportRequest) async throws(TransportError) -> InMemoryHTTPAnswer

    private let addressGuard: AddressGuard
    private let handler: Handler
    private let received = Mutex<[HTTPTransportRequest]>([])

    /// A transport whose answers a function gives.
    ///
    /// - Parameters:
    ///   - addressGuard: The permitted targets of requests; there are no addresses, so only the URL itself is checked.
    ///   - handler: Makes the answers.
    public init(addressGuard: AddressGuard = AddressGuard(), handler: @escaping Handler) {
        self.addressGuard = addressGuard
        self.handler = handler
    }

    /// A transport with one answer for each URL, and status 404 for all others.
    public convenience init(_ answers: [String: InMemoryHTTPAnswer], addressGuard: AddressGuard = AddressGuard()) {
        self.init(addressGuard: addressGuard) { request throws(TransportError) in
            answers[request.url.description] ?? InMemoryHTTPAnswer(status: 404)
        }
    }

    /// The requests that came, the first one first.
    public var requests: [HTTPTransportRequest] {
        received.withLock { $0 }
    }

    /// The answer to a request.
    public func response(to request: HTTPTransportRequest) async throws(TransportError) -> HTTPTransportResponse {
        try addressGuard.requireAllowed(request.url)
        received.withLock { $0.append(request) }
        let answer = try await handler(request)
        var collector = ResponseCollector(for: request)
        try collector.receive(head: HTTPResponse(status: .init(code: answer.status), headerFields: answer.headerFields))
        try collector.receive(answer.body)
        return try collector.finish()
    }
}
