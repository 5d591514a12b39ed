public import HTTPTypes

/// A request, and what it takes for an answer.
///
/// ```swift
/// let request = HTTPTransportRequest.get(try HTTPURL("https://issuer.example/jwks"), accepting: [.json])
/// ```
public struct HTTPTransportRequest: Sendable {
    /// GET or POST.
    public let method: HTTPRequest.Method
    /// Where to.
    public let url: HTTPURL
    /// The header, without the fields that the connection itself sets.
    public private(set) var headerFields: HTTPFields
    /// The body; empty for GET.
    public let body: [UInt8]
    /// Which content types the answer may have.
    public let accepted: AcceptedContent
    /// Which statuses the answer may have.
    ///
    /// Where one of them is not 200, the content type of that answer is checked as well.
    public var acceptedStatuses: Set<Int>
    /// How much it takes.
    public var limits: HTTPLimits

    /// A GET request.
    ///
    /// - Parameters:
    ///   - url: Where to.
    ///   - accepted: Which content types the answer may have; also the field `Accept`.
    ///   - statuses: Which statuses the answer may have.
    ///   - limits: How much it takes.
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
    ///   - url: Where to.
    ///   - body: The body.
    ///   - type: The content type of the body.
    ///   - accepted: Which content types the answer may have; also the field `Accept`.
    ///   - statuses: Which statuses the answer may have.
    ///   - limits: How much it takes.
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

    /// The same request to another place; where host, port or scheme differ, without the fields that were set.
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
