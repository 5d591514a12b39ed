extension SDJWTError {
    /// The kind of an error: an open set, so that a new kind breaks no caller.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        /// The kind's name, as in the source.
        public let description: String

        private init(_ name: String) {
            description = name
        }

        /// The input is not an SD-JWT of the expected form.
        public static let malformed = Code("malformed")
    }
}
