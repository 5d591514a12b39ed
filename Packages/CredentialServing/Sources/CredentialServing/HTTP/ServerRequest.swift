public import CredentialTransport
public import HTTPTypes

/// A request of a client.
public struct ServerRequest: Sendable {
    /// Method, target and header, as received.
    public let head: HTTPRequest
    /// The body, as it arrives.
    public var body: ServerRequestBody
    /// The address of the connection's other end; nil for a connection without one, such as over a socket in the file system.
    public let peer: IPAddress?
    /// Indicates a connection over a socket in the file system, whose other end is on this machine.
    public let isOverUnixSocket: Bool
    /// The address of the client: ``peer``, unless ``TrustedProxies`` found another behind a proxy.
    public var remoteAddress: IPAddress?
    /// The parameters of the path, by the names in the route's pattern.
    public internal(set) var parameters = RequestParameters("path", [])
    /// The pattern of the route that was found, such as `/session/{token}`; nil before.
    ///
    /// It holds no values of a client, and suits logs and metrics.
    public internal(set) var routePattern: String?
    /// The signal that the server is going to stop.
    public let shutdown: ShutdownSignal

    let target: RequestTarget
    /// The number of segments that belong to the path below which the engine is mounted.
    var mountDepth = 0

    /// A request.
    ///
    /// - Parameters:
    ///   - head: Method, target and header.
    ///   - body: The body; none by default.
    ///   - peer: The address of the connection's other end.
    ///   - isOverUnixSocket: Indicates a connection over a socket in the file system.
    ///   - shutdown: The signal that the server is going to stop.
    public init(
        head: HTTPRequest,
        body: ServerRequestBody = .none,
        peer: IPAddress? = nil,
        isOverUnixSocket: Bool = false,
        shutdown: ShutdownSignal = ShutdownSignal()
    ) {
        self.head = head
        self.body = body
        self.peer = peer
        self.isOverUnixSocket = isOverUnixSocket
        self.shutdown = shutdown
        remoteAddress = peer
        target = RequestTarget(head.path ?? "")
        self.body.contentLength = Self.contentLength(of: head)
    }

    /// The method.
    public var method: HTTPRequest.Method { head.method }

    /// The header.
    public var headerFields: HTTPFields { head.headerFields }

    /// The path as received, percent-encoded, without the query.
    public var path: String { target.path }

    /// The parameters of the query; empty without a query.
    ///
    /// - Throws: ``ServingError/Code/invalidRequest`` for invalid percent-encoding.
    public var query: RequestParameters {
        get throws(ServingError) { try RequestParameters(query: target.query ?? "") }
    }

    /// The media type of the body, without parameters; nil if it is missing or malformed.
    public var contentType: MediaType? { headerFields[.contentType].flatMap { try? MediaType($0) } }

    /// The ID of the last event that a client of an event stream has received; nil for a first connection.
    ///
    /// An ID over 1,024 bytes is ignored: the server never sets one.
    public var lastEventID: String? {
        guard let id = headerFields[.lastEventID], !id.isEmpty, id.utf8.count <= 1024 else { return nil }
        return id
    }

    /// The segments of the path below the mounting point; nil if the path cannot be routed.
    var segments: ArraySlice<[UInt8]>? { target.segments?.dropFirst(mountDepth) }

    /// Indicates a header whose content length is a number, or that has none.
    var hasValidLength: Bool { headerFields[.contentLength] == nil || body.contentLength != nil }

    private static func contentLength(of head: HTTPRequest) -> Int? {
        guard let text = head.headerFields[.contentLength], text.utf8.allSatisfy(isDigit) else { return nil }
        return Int(text)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}

extension ServerRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The method and the route's pattern; path, query, header and body may be secret.
    public var description: String { "\(method.rawValue) \(routePattern ?? "(no route)")" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
