extension TransportError {
    /// The kind of an error: an open set, so that a new kind breaks no caller.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The kind's name, as in the source.
        public let description: String

        private init(_ name: String) {
            description = name
        }

        /// The address is loopback, private, link-local or another that the guard refuses.
        public static let addressNotAllowed = Code("addressNotAllowed")
    }
}
