public import HTTPTypes

/// An answer that is complete and within the limits of its request.
public struct HTTPTransportResponse: Sendable {
    /// The status, which is one of those that the request accepts.
    public let status: Int
    /// The header.
    public let headerFields: HTTPFields
    /// The content type, which is one of those that the request accepts; nil only where it accepts any, and for status 204.
    public let contentType: MediaType?
    /// The body as received: see ``isGzipped``.
    public let body: [UInt8]

    /// Indicates that the body is compressed with gzip, which only a request permits that says so
    /// (``HTTPTransportRequest/acceptsGzip``).
    public var isGzipped: Bool { headerFields.isGzipped }
}

extension HTTPFields {
    /// Indicates that gzip is the one encoding of a body; `x-gzip` is another name for it (RFC 9110, section 8.4.1.3).
    var isGzipped: Bool {
        self[.contentEncoding].map { ["gzip", "x-gzip"].contains(ASCII.lowercased($0.utf8)) } ?? false
    }
}

extension HTTPTransportResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Status, content type and size; the header and the body may be secret.
    public var description: String {
        "\(status) \(contentType?.description ?? "without content type"), \(body.count) bytes"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension HTTPTransportResponse {
    /// The names and values of the header's fields as text, for layers that hand them on.
    public var headers: [(name: String, value: String)] { headerFields.map { ($0.name.canonicalName, $0.value) } }
}
