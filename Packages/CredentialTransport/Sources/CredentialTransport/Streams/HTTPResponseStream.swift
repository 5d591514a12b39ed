public import HTTPTypes

/// An answer whose body is read as it arrives.
///
/// ```swift
/// let stream = try await transport.stream(for: request)
/// for try await piece in stream { hash.update(piece) }
/// ```
///
/// The body is read once, by one task. The limits of the request hold: the size of the body, the time for everything, and
/// the longest silence. The server is slowed down to the reader's pace. The exchange ends when the last copy of the stream
/// and its iterator is gone, or with ``cancel()``.
public struct HTTPResponseStream: AsyncSequence, Sendable {
    /// A piece of the body, at least one byte.
    public typealias Element = [UInt8]
    /// The error of a broken exchange or limit.
    public typealias Failure = TransportError

    /// The status, which is one of those that the request accepts.
    public let status: Int
    /// The header.
    public let headerFields: HTTPFields
    /// The content type, which is one of those that the request accepts; nil only where it accepts any, and for status 204.
    public let contentType: MediaType?

    private let exchange: StreamedExchange

    /// Begins an exchange, and waits for status and header.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - clock: The clock for the limits.
    ///   - operation: Carries the exchange, and returns when the answer is complete.
    /// - Throws: The errors of the exchange, and those of ``ResponseReceiver/receive(head:)``.
    static func open(
        _ request: HTTPTransportRequest,
        clock: any Clock<Duration>,
        _ operation: @escaping @Sendable (any ResponseReceiver) async throws(TransportError) -> Void
    ) async throws(TransportError) -> HTTPResponseStream {
        let exchange = StreamedExchange(request, clock: clock, operation)
        guard case .head(let head)? = try await exchange.next() else {
            throw TransportError(.exchangeFailed, "the answer has no header", path: [request.url.description])
        }
        return HTTPResponseStream(head, exchange)
    }

    private init(_ head: ResponseHead, _ exchange: StreamedExchange) {
        status = head.status
        headerFields = head.headerFields
        contentType = head.contentType
        self.exchange = exchange
    }

    /// Ends the exchange; a reader gets ``TransportError/Code/cancelled``.
    public func cancel() {
        exchange.cancel()
    }

    /// The iterator over the body; there is one body, however many iterators.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(exchange: exchange)
    }

    /// Reads the body.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        fileprivate let exchange: StreamedExchange

        /// The next piece of the body, or nil at its end.
        ///
        /// - Throws: ``TransportError/Code/bodyTooLarge``, ``TransportError/Code/incompleteBody``,
        ///   ``TransportError/Code/timedOut``, ``TransportError/Code/exchangeFailed``, ``TransportError/Code/cancelled``.
        public mutating func next() async throws(TransportError) -> [UInt8]? {
            try await piece()
        }

        /// The next piece of the body, or nil at its end.
        ///
        /// - Throws: As ``next()``.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(TransportError) -> [UInt8]? {
            try await piece()
        }

        private func piece() async throws(TransportError) -> [UInt8]? {
            guard case .piece(let piece)? = try await exchange.next() else { return nil }
            return piece
        }
    }
}

extension HTTPResponseStream: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Status and content type; the header and the body may be secret.
    public var description: String {
        "\(status) \(contentType?.description ?? "without content type"), streamed"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
