public import HTTPTypes

/// An answer that is complete and within the limits of its request.
public struct HTTPTransportResponse: Sendable {
    /// The status, which is one of those that the request accepts.
    public let status: Int
    /// The header.
    public let headerFields: HTTPFields
    /// The content type, which is one of those that the request accepts; nil only where it accepts any.
    public let contentType: MediaType?
    /// The body.
    public let body: [UInt8]
}
