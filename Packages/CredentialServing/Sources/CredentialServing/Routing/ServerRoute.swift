public import HTTPTypes

/// A method and a path with the handler that answers.
///
/// ```swift
/// ServerRoute.get("/session/{token}/status") { request in
///     .text(try request.parameters.text("token"))
/// }
/// ```
///
/// A pattern is a path. A segment `{name}` takes any one segment that is not empty, as a parameter; other segments stand
/// for themselves, as bytes. Both the segments of a pattern and those of a path are compared after one percent-decoding, so
/// that `%2F` is a character of a parameter and never a separator.
public struct ServerRoute: Sendable {
    /// Answers a request; a thrown error becomes a response by the engine's hook.
    public typealias Handler = @Sendable (ServerRequest) async throws -> ServerResponse

    /// The method.
    public let method: HTTPRequest.Method
    /// The pattern, such as `/session/{token}`.
    public let pattern: String
    /// Deadline, body limit and CORS policy where they differ from the engine's.
    public var options: ServerRouteOptions

    let handler: Handler

    /// A route.
    ///
    /// - Parameters:
    ///   - method: The method. GET routes answer HEAD as well.
    ///   - pattern: The path, with parameters in braces; the slash at its beginning may be left out.
    ///   - options: Deadline, body limit and CORS policy where they differ from the engine's.
    ///   - handler: Answers a request.
    public init(
        _ method: HTTPRequest.Method,
        _ pattern: String,
        options: ServerRouteOptions = ServerRouteOptions(),
        handler: @escaping Handler
    ) {
        self.method = method
        self.pattern = pattern.utf8.first == UInt8(ascii: "/") ? pattern : "/" + pattern
        self.options = options
        self.handler = handler
    }

    /// A route for GET and HEAD.
    public static func get(
        _ pattern: String,
        options: ServerRouteOptions = ServerRouteOptions(),
        handler: @escaping Handler
    ) -> ServerRoute {
        ServerRoute(.get, pattern, options: options, handler: handler)
    }

    /// A route for POST.
    public static func post(
        _ pattern: String,
        options: ServerRouteOptions = ServerRouteOptions(),
        handler: @escaping Handler
    ) -> ServerRoute {
        ServerRoute(.post, pattern, options: options, handler: handler)
    }

    /// A route for PUT.
    public static func put(
        _ pattern: String,
        options: ServerRouteOptions = ServerRouteOptions(),
        handler: @escaping Handler
    ) -> ServerRoute {
        ServerRoute(.put, pattern, options: options, handler: handler)
    }

    /// A route for DELETE.
    public static func delete(
        _ pattern: String,
        options: ServerRouteOptions = ServerRouteOptions(),
        handler: @escaping Handler
    ) -> ServerRoute {
        ServerRoute(.delete, pattern, options: options, handler: handler)
    }
}

/// The options of one route; nil takes the engine's.
public struct ServerRouteOptions: Sendable {
    /// The time for a request.
    public var deadline: Duration?
    /// The largest number of bytes in the body of a request.
    public var maximumBodySize: Int?
    /// The policy for scripts of other origins.
    public var cors: CORSPolicy?

    /// Sets the options; omitted ones are the engine's.
    public init(deadline: Duration? = nil, maximumBodySize: Int? = nil, cors: CORSPolicy? = nil) {
        self.deadline = deadline
        self.maximumBodySize = maximumBodySize
        self.cors = cors
    }
}
