public import HTTPTypes

extension ServingError {
    /// The kind of an error: an open set, so that a new kind breaks no caller.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The kind's name, as in the source.
        public let description: String

        /// The status of the answer to a client, unless the engine's hook gives another.
        public let status: HTTPResponse.Status

        /// A kind of error of another layer.
        ///
        /// - Parameters:
        ///   - name: The kind's name, as a client sees it.
        ///   - status: The status of the answer.
        public init(_ name: String, status: HTTPResponse.Status) {
            description = name
            self.status = status
        }

        /// The request breaks the syntax of HTTP: a path with invalid percent-encoding, a content length that is not a
        /// number.
        public static let invalidRequest = Code("invalidRequest", status: .badRequest)
        /// A parameter of the path or the query is missing, duplicate, or invalid.
        public static let invalidParameter = Code("invalidParameter", status: .badRequest)
        /// No route has the path.
        public static let notFound = Code("notFound", status: .notFound)
        /// The path has routes, but none for the method.
        public static let methodNotAllowed = Code("methodNotAllowed", status: .methodNotAllowed)
        /// The body is longer than the limit.
        public static let bodyTooLarge = Code("bodyTooLarge", status: .contentTooLarge)
        /// The body ended before it was complete, or another task reads it.
        public static let incompleteBody = Code("incompleteBody", status: .badRequest)
        /// The body did not arrive before the deadline.
        public static let requestTimedOut = Code("requestTimedOut", status: .requestTimeout)
        /// The engine did not answer before the deadline.
        public static let deadlineExceeded = Code("deadlineExceeded", status: .serviceUnavailable)
        /// The client went away, or its task was cancelled.
        public static let cancelled = Code(
            "cancelled",
            status: HTTPResponse.Status(code: 499, reasonPhrase: "Client Closed Request")
        )
        /// An error of the engine that its hook does not know.
        public static let internalError = Code("internalError", status: .internalServerError)

        /// Two routes with one method and one path, or a malformed pattern.
        public static let invalidRoute = Code("invalidRoute", status: .internalServerError)
        /// A CORS policy that browsers ignore, or a malformed origin.
        public static let invalidPolicy = Code("invalidPolicy", status: .internalServerError)
        /// The text is not a block of addresses.
        public static let invalidAddressRange = Code("invalidAddressRange", status: .internalServerError)
        /// An event that would break its stream: a line break in its ID or type.
        public static let invalidEvent = Code("invalidEvent", status: .internalServerError)
        /// A streamed answer that is not as long as its header says.
        public static let wrongLength = Code("wrongLength", status: .internalServerError)
        /// A certificate or private key that cannot be read, or that do not belong together.
        public static let invalidCertificate = Code("invalidCertificate", status: .internalServerError)
        /// The server cannot listen, or it has run before.
        public static let cannotServe = Code("cannotServe", status: .internalServerError)
    }
}
