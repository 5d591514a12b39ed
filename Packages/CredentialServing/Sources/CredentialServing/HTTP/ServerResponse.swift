public import CredentialTransport
public import HTTPTypes

/// A response to a client.
public struct ServerResponse: Sendable {
    /// The status.
    public var status: HTTPResponse.Status
    /// The header, without `Content-Length` and the fields of the connection, which drivers set.
    public var headerFields: HTTPFields
    /// The body.
    public var body: ServerResponseBody

    /// A response.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - headerFields: The header.
    ///   - body: The body.
    public init(
        _ status: HTTPResponse.Status,
        headerFields: HTTPFields = [:],
        body: ServerResponseBody = .empty
    ) {
        self.status = status
        self.headerFields = headerFields
        self.body = body
    }

    /// A response of bytes.
    ///
    /// - Parameters:
    ///   - bytes: The body.
    ///   - type: The value of `Content-Type`.
    ///   - status: The status.
    public static func bytes(
        _ bytes: [UInt8],
        type: MediaType,
        status: HTTPResponse.Status = .ok
    ) -> ServerResponse {
        ServerResponse(status, headerFields: [.contentType: type.description], body: .bytes(bytes))
    }

    /// A response of JSON, which the caller has encoded.
    public static func json(_ bytes: [UInt8], status: HTTPResponse.Status = .ok) -> ServerResponse {
        .bytes(bytes, type: .json, status: status)
    }

    /// A response of plain text in UTF-8.
    public static func text(_ text: String, status: HTTPResponse.Status = .ok) -> ServerResponse {
        ServerResponse(
            status,
            headerFields: [.contentType: "text/plain; charset=utf-8"],
            body: .bytes(Array(text.utf8))
        )
    }

    /// Status and header as they are sent: with the content length where it is known, without the fields that frame a
    /// message.
    public var head: HTTPResponse {
        var fields = headerFields
        fields[.transferEncoding] = nil
        fields[.connection] = nil
        fields[.contentLength] = hasBody ? body.length.map(String.init) : nil
        return HTTPResponse(status: status, headerFields: fields)
    }

    /// The body as it is sent: none in answer to HEAD, and none for a status without.
    ///
    /// - Parameter method: The method of the request.
    public func body(for method: HTTPRequest.Method) -> ServerResponseBody {
        method == .head || !hasBody ? .omitted(length: body.length) : body
    }

    /// Indicates a status that comes with a body, if only an empty one (RFC 9110 section 6.4.1).
    var hasBody: Bool { status.kind != .informational && status != .noContent && status != .notModified }

    /// The same response with the header only, as HEAD wants it.
    var withoutBody: ServerResponse {
        ServerResponse(status, headerFields: headerFields, body: .omitted(length: body.length))
    }
}

extension ServerResponse {
    /// The default answer to a refused request: JSON with the error's code and message, `Cache-Control: no-store`.
    ///
    /// ```json
    /// {"error":"notFound","message":"no route has the path"}
    /// ```
    ///
    /// The error's cause is left out.
    public init(refusing error: ServingError) {
        let text = "{\"error\":\(Self.quoted(error.code.description)),\"message\":\(Self.quoted(error.message))}"
        self = .json(Array(text.utf8), status: error.code.status)
        headerFields[.cacheControl] = "no-store"
    }

    /// A string of JSON; errors hold printable ASCII only.
    private static func quoted(_ text: String) -> String {
        let escaped = text.escapedToASCII().map { character in
            character == "\"" || character == "\\" ? "\\\(character)" : String(character)
        }
        return "\"" + escaped.joined() + "\""
    }
}

extension ServerResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The status and the kind of the body; header and body may be secret.
    public var description: String { "\(status.code), \(body)" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension HTTPField.Name {
    /// The last event that a client of an event stream received (WHATWG HTML, section 9.2.4).
    static let lastEventID = known("Last-Event-ID")
    /// Asks nginx, and proxies that follow it, to pass a stream on as it comes.
    static let accelBuffering = known("X-Accel-Buffering")
    /// The addresses that a request came through, as most proxies write them.
    static let xForwardedFor = known("X-Forwarded-For")
    /// The addresses that a request came through (RFC 7239).
    static let forwarded = known("Forwarded")

    /// A name that is written in the source; each of them is a token, so that the other name is never used.
    private static func known(_ name: String) -> HTTPField.Name { HTTPField.Name(name) ?? .via }
}
