public import HTTPTypes

/// A request, and the answers that it accepts.
///
/// ```swift
/// let request = HTTPTransportRequest.get(try HTTPURL("https://issuer.example/jwks"), accepting: [.json])
/// ```
public struct HTTPTransportRequest: Sendable {
    /// GET, POST, PUT or DELETE.
    public let method: HTTPRequest.Method
    /// The target of the request.
    public let url: HTTPURL
    /// The header, without the fields that the connection itself sets.
    public private(set) var headerFields: HTTPFields
    /// The body; empty for GET, and mostly for DELETE.
    public let body: [UInt8]
    /// The content types that the answer may have.
    public let accepted: AcceptedContent
    /// The statuses that the answer may have.
    ///
    /// The content type is checked for every accepted status but 204, which has no body.
    public var acceptedStatuses: AcceptedStatuses
    /// The limits for the answer.
    public var limits: HTTPLimits
    /// Indicates that the body of an accepted answer may be compressed with gzip; false by default.
    ///
    /// The transport hands such a body on as it came: see ``HTTPTransportResponse/isGzipped``. ``HTTPLimits/maximumBodySize`` bounds
    /// the compressed body; the caller bounds the decompressed one.
    public var acceptsGzip = false {
        didSet { headerFields[.acceptEncoding] = acceptsGzip ? "gzip" : "identity" }
    }

    /// A character encoding of a body of text (RFC 9110 section 8.3.2).
    public enum Charset: String, Sendable {
        case utf8 = "UTF-8"
    }

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
        statuses: AcceptedStatuses = [200],
        limits: HTTPLimits = .default
    ) -> HTTPTransportRequest {
        HTTPTransportRequest(.get, url, body: [], nil, accepted, statuses, limits)
    }

    /// A POST request.
    ///
    /// - Parameters:
    ///   - url: The target of the request.
    ///   - body: The body.
    ///   - type: The content type of the body.
    ///   - charset: The character encoding that is named beside the content type, for peers that expect it.
    ///   - accepted: The content types that the answer may have; also the field `Accept`.
    ///   - statuses: The statuses that the answer may have.
    ///   - limits: The limits for the answer.
    public static func post(
        _ url: HTTPURL,
        body: [UInt8],
        type: MediaType,
        charset: Charset? = nil,
        accepting accepted: AcceptedContent,
        statuses: AcceptedStatuses = [200],
        limits: HTTPLimits = .default
    ) -> HTTPTransportRequest {
        var request = HTTPTransportRequest(.post, url, body: body, type, accepted, statuses, limits)
        if let charset { request.headerFields[.contentType] = "\(type); charset=\(charset.rawValue)" }
        return request
    }

    /// A PUT request.
    ///
    /// - Parameters:
    ///   - url: The target of the request.
    ///   - body: The body.
    ///   - type: The content type of the body.
    ///   - accepted: The content types that the answer may have; also the field `Accept`.
    ///   - statuses: The statuses that the answer may have.
    ///   - limits: The limits for the answer.
    public static func put(
        _ url: HTTPURL,
        body: [UInt8],
        type: MediaType,
        accepting accepted: AcceptedContent,
        statuses: AcceptedStatuses = [200, 201, 204],
        limits: HTTPLimits = .default
    ) -> HTTPTransportRequest {
        HTTPTransportRequest(.put, url, body: body, type, accepted, statuses, limits)
    }

    /// A DELETE request.
    ///
    /// - Parameters:
    ///   - url: The target of the request.
    ///   - body: The body, for the few servers that want one.
    ///   - type: The content type of the body; nil for none.
    ///   - accepted: The content types that the answer may have; also the field `Accept`.
    ///   - statuses: The statuses that the answer may have.
    ///   - limits: The limits for the answer.
    public static func delete(
        _ url: HTTPURL,
        body: [UInt8] = [],
        type: MediaType? = nil,
        accepting accepted: AcceptedContent = .any,
        statuses: AcceptedStatuses = [200, 202, 204],
        limits: HTTPLimits = .default
    ) -> HTTPTransportRequest {
        HTTPTransportRequest(.delete, url, body: body, type, accepted, statuses, limits)
    }

    private init(
        _ method: HTTPRequest.Method,
        _ url: HTTPURL,
        body: [UInt8],
        _ type: MediaType?,
        _ accepted: AcceptedContent,
        _ statuses: AcceptedStatuses,
        _ limits: HTTPLimits
    ) {
        self.method = method
        self.url = url
        self.body = body
        self.accepted = accepted
        acceptedStatuses = statuses
        self.limits = limits
        headerFields = [.accept: accepted.fieldValue, .acceptEncoding: "identity"]
        if let type { headerFields[.contentType] = type.description }
    }

    /// The same request to another target; without the fields that were set if host, port or scheme differ.
    func redirected(to url: HTTPURL) -> HTTPTransportRequest {
        var request = HTTPTransportRequest(method, url, body: body, nil, accepted, acceptedStatuses, limits)
        request.acceptsGzip = acceptsGzip
        if url.origin == self.url.origin { request.headerFields = headerFields }
        return request
    }

    /// The same request with the cookies of a session.
    func withCookies(_ value: String?) -> HTTPTransportRequest {
        var request = self
        request.headerFields[.cookie] = nil
        // Setting the field would make one of each cookie, which HTTP/1.1 does not have (RFC 6265, section 5.4).
        if let value { request.headerFields.append(HTTPField(name: .cookie, value: value)) }
        return request
    }

    /// Sets a field of the header.
    ///
    /// - Throws: ``TransportError/Code/fieldNotAllowed`` for a field that frames or routes the message or that the request
    ///   or an ``HTTPSession`` sets itself, and for a value with characters that no field may have.
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
            "accept", "accept-encoding", "connection", "content-encoding", "content-length", "content-type", "cookie",
            "expect", "host", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
        ].compactMap { HTTPField.Name($0) }
    )
}

extension HTTPTransportRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Method and URL, the names of the fields, and the size of the body; values and bodies may be secret.
    public var description: String {
        let names = headerFields.map(\.name.canonicalName).joined(separator: ", ")
        return "\(method.rawValue) \(url) (\(names)), \(body.count) bytes"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
