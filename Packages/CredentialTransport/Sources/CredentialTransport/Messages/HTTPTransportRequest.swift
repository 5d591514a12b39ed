public import HTTPTypes

/// A request, and what it takes for an answer.
///
/// ```swift
/// let request = HTTPTransportRequest.get(try HTTPURL("https://issuer.example/jwks"), accepting: [.json])
/// ```
public struct HTTPTransportRequest: Sendable {
    /// GET or POST.
    public let method: HTTPRequest.Method
    /// The target of the request.
    public let url: HTTPURL
    /// The header, without the fields that the connection itself sets.
    public private(set) var headerFields: HTTPFields
    /// The body; empty for GET.
    public let body: [UInt8]
    /// The content types that the answer may have.
    public let accepted: AcceptedContent
    /// The statuses that the answer may have.
    ///
    /// The content type is checked for every accepted status.
    public var acceptedStatuses: Set<Int>
    /// The limits for the answer.
    public var limits: HTTPLimits

    /// A GET request.
    ///
    /// - Parameters:
    ///   - url: The target of the request.
    ///   - accepted: The content types that the answer may have; also the field `Accept`.
    ///   - statuses: The statuses that the answer may have.
    ///   - limits: The limits for the answer.
    public static func get(
        _ url: HTTPURL,
        accepting accepted: AcceptedContent,
        statuses: Set<Int> = [200],
        limits: HTTPLimits = .default
    ) -> HTTPTransportRequest {
        HTTPTransportRequest(.get, url, body: [], accepted, statuses, limits)
    }

    /// A POST request.
    ///
    /// - Parameters:
    ///   - url: The target of the request.
    ///   - body: The body.
    ///   - type: The content type of the body.
    ///   - accepted: The content types that the answer may have; also the field `Accept`.
    ///   - statuses: The statuses that the answer may have.
    ///   - limits: The limits for the answer.
    public static func post(
        _ url: HTTPURL,
        body: [UInt8],
        type: MediaType,
        accepting accepted: AcceptedContent,
        statuses: Set<Int> = [200],
        limits: HTTPLimits = .default
    ) -> HTTPTransportRequest {
        var request = HTTPTransportRequest(.post, url, body: body, accepted, statuses, limits)
        request.headerFields[.contentType] = type.description
        return request
    }

    private init(
        _ method: HTTPRequest.Method,
        _ url: HTTPURL,
        body: [UInt8],
        _ accepted: AcceptedContent,
        _ statuses: Set<Int>,
        _ limits: HTTPLimits
    ) {
        self.method = method
        self.url = url
        self.body = body
        self.accepted = accepted
        acceptedStatuses = statuses
        self.limits = limits
        headerFields = [.accept: accepted.fieldValue, .acceptEncoding: "identity"]
    }

    /// The same request to another target; without the fields that were set if host, port or scheme differ.
    func redirected(to url: HTTPURL) -> HTTPTransportRequest {
        var request = HTTPTransportRequest(method, url, body: body, accepted, acceptedStatuses, limits)
        let isSameOrigin = url.scheme == self.url.scheme && url.host == self.url.host && url.port == self.url.port
        if isSameOrigin { request.headerFields = headerFields }
        return request
    }

    /// Sets a field of the header.
    ///
    /// - Throws: ``TransportError/Code/fieldNotAllowed`` for a field that frames or routes the message or that the request
    ///   sets itself, and for a value with characters that no field may have.
    public mutating func setField(_ name: HTTPField.Name, _ value: String) throws(TransportError) {
        guard !Self.reserved.contains(name) else {
            throw TransportError(.fieldNotAllowed, "the field is set by the request itself", path: [name.canonicalName])
        }
        guard HTTPField.isValidValue(value) else {
            throw TransportError(.fieldNotAllowed, "the value has a control character", path: [name.canonicalName])
        }
        headerFields[name] = value
    }

    private static let reserved: Set<HTTPField.Name> = Set(
        [
            "accept", "accept-encoding", "connection", "content-encoding", "content-length", "content-type", "expect",
            "host", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
        ].compactMap { HTTPField.Name($0) }
    )
}
