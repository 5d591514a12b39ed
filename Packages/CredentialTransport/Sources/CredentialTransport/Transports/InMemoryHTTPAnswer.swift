public import HTTPTypes

/// An answer of an ``InMemoryHTTPTransport``.
public struct InMemoryHTTPAnswer: Sendable {
    /// The status, three digits.
    public var status: Int
    /// The header.
    public var headerFields: HTTPFields
    /// The body.
    public var body: [UInt8]

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

    /// Status 302 to another place.
    public static func redirect(to target: String) -> InMemoryHTTPAnswer {
        InMemoryHTTPAnswer(status: 302, headerFields: [.location: target])
    }
}
