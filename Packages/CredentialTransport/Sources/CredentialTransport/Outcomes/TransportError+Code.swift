extension TransportError {
    /// The kind of an error: an open set, so that a new kind breaks no caller.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The kind's name, as in the source.
        public let description: String

        private init(_ name: String) {
            description = name
        }

        /// The text is not a URL that this library contacts: wrong syntax, user information, a fragment, another
        /// spelling of an address.
        public static let invalidURL = Code("invalidURL")
        /// The text is not the URL of a proxy, or no list of hosts that are reached without one.
        public static let invalidProxy = Code("invalidProxy")
        /// The text is not a media type.
        public static let invalidMediaType = Code("invalidMediaType")
        /// A header field that the connection itself sets, or one with characters that no field may have.
        public static let fieldNotAllowed = Code("fieldNotAllowed")

        /// The URL is not https, and plain http was not allowed by name.
        public static let schemeNotAllowed = Code("schemeNotAllowed")
        /// The port is not one that the guard lets through.
        public static let portNotAllowed = Code("portNotAllowed")
        /// The URL names an address instead of a host.
        public static let literalAddressNotAllowed = Code("literalAddressNotAllowed")
        /// The address is loopback, private, link-local or another that the guard refuses.
        public static let addressNotAllowed = Code("addressNotAllowed")

        /// The host has no address, or it could not be found.
        public static let resolutionFailed = Code("resolutionFailed")
        /// Too many names are being resolved at once.
        public static let resolverBusy = Code("resolverBusy")
        /// No connection to any of the host's addresses.
        public static let connectionFailed = Code("connectionFailed")
        /// TLS could not be set up: above all, a certificate that does not prove the host.
        public static let tlsFailed = Code("tlsFailed")
        /// The exchange broke off after the connection was made.
        public static let exchangeFailed = Code("exchangeFailed")
        /// No complete answer within the time limit, or none of its bytes for too long.
        public static let timedOut = Code("timedOut")
        /// The caller's task was cancelled, or its session was closed.
        public static let cancelled = Code("cancelled")

        /// The answer is a redirect that is not followed; ``TransportError/redirectTarget`` is its target.
        public static let redirected = Code("redirected")
        /// The answer's status is not one that the request accepts; ``TransportError/answer`` has it.
        public static let unexpectedStatus = Code("unexpectedStatus")
        /// The answer has no content type, or another than the request accepts.
        public static let contentTypeNotAccepted = Code("contentTypeNotAccepted")
        /// The answer is compressed without having been requested so.
        public static let contentEncodingNotAccepted = Code("contentEncodingNotAccepted")
        /// The answer's body is longer than the limit.
        public static let bodyTooLarge = Code("bodyTooLarge")
        /// The answer's body is not as long as its header says.
        public static let incompleteBody = Code("incompleteBody")
        /// A line or an event of an event stream is longer than the limit.
        public static let eventTooLarge = Code("eventTooLarge")
    }
}
