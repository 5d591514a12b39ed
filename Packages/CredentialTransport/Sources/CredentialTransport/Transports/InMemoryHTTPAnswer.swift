public import HTTPTypes

/// An answer of an ``InMemoryHTTPTransport``.
public struct InMemoryHTTPAnswer: Sendable {
    /// Takes the next piece of a body, and waits until the receiver wants more.
    public typealias Write = @Sendable ([UInt8]) async throws(TransportError) -> Void

    /// The status, three digits.
    public var status: Int
    /// The header.
    public var headerFields: HTTPFields
    /// The body, or its beginning.
    public var body: [UInt8]
    /// Writes the rest of a body that arrives over time; an error that it throws breaks off the exchange.
    public var writer: (@Sendable (Write) async throws(TransportError) -> Void)?

    /// An answer of these parts.
    public init(status: Int, headerFields: HTTPFields = [:], body: [UInt8] = []) {
        self.status = min(max(status, 100), 999)
        self.headerFields = headerFields
        self.body = body
    }

    /// Status 200 with a body.
    public static func ok(_ body: [UInt8], type: MediaType) -> InMemoryHTTPAnswer {
        InMemoryHTTPAnswer(status: 200, headerFields: [.contentType: type.description], body: body)
    }

    /// Status 200 with a body that arrives over time.
    ///
    /// ```swift
    /// InMemoryHTTPAnswer.streaming(type: .eventStream) { write in try await write(Array("data: CONNECTED\n\n".utf8)) }
    /// ```
    public static func streaming(
        type: MediaType,
        writer: @escaping @Sendable (Write) async throws -> Void
    ) -> InMemoryHTTPAnswer {
        var answer = ok([], type: type)
        answer.writer = { write throws(TransportError) in
            do {
                try await writer(write)
            } catch let error as TransportError {
                throw error
            } catch {
                throw TransportError(.exchangeFailed, "the writer of the body failed", cause: error)
            }
        }
        return answer
    }

    /// Status 302 to another place.
    public static func redirect(to target: String) -> InMemoryHTTPAnswer {
        InMemoryHTTPAnswer(status: 302, headerFields: [.location: target])
    }

    /// The same answer with a field `Cache-Control`, such as `max-age=60`.
    public func caching(_ directives: String) -> InMemoryHTTPAnswer {
        var answer = self
        answer.headerFields[.cacheControl] = directives
        return answer
    }

    /// The same answer with a field `Content-Encoding`, such as `gzip`; the body stays as it is.
    public func encoded(_ encoding: String) -> InMemoryHTTPAnswer {
        var answer = self
        answer.headerFields[.contentEncoding] = encoding
        return answer
    }

    /// Feeds the answer to a receiver.
    func send(to receiver: any ResponseReceiver) async throws(TransportError) {
        try await receiver.receive(head: HTTPResponse(status: .init(code: status), headerFields: headerFields))
        try await receiver.receive(body)
        try await writer? { piece throws(TransportError) in try await receiver.receive(piece) }
    }
}
