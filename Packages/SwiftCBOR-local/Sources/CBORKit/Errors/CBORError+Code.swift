extension CBORError {
    /// A kind of failure; an open set, so that a new one breaks no caller.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private let name: String

        private init(_ name: String) {
            self.name = name
        }

        /// The name of the kind.
        public var description: String { name }

        /// The input ends inside an item, or a length reaches past its end (RFC 8949 appendix F, "too little data").
        public static let truncated = Code("truncated")
        /// Additional information 28 to 30, or 31 in major type 0, 1 or 6 (RFC 8949 section 3).
        public static let reserved = Code("reserved")
        /// A break where no item of an indefinite-length array, map or string can end (RFC 8949 section 3.2.1).
        public static let unexpectedBreak = Code("unexpectedBreak")
        /// A chunk of an indefinite-length string that is not a definite-length string of its major type.
        public static let invalidChunk = Code("invalidChunk")
        /// A simple value below 32 in two bytes (RFC 8949 section 3.3), or one that does not exist.
        public static let invalidSimpleValue = Code("invalidSimpleValue")
        /// A text string that is not valid UTF-8 (RFC 8949 section 3.1).
        public static let invalidUTF8 = Code("invalidUTF8")
        /// Two equal keys in one map (RFC 8949 section 5.6).
        public static let duplicateKey = Code("duplicateKey")
        /// Bytes after the item (RFC 8949 section 1.2: a decoder for one item refuses more).
        public static let trailingBytes = Code("trailingBytes")
        /// One of ``CBORLimits`` was passed.
        public static let limitExceeded = Code("limitExceeded")
        /// An encoding that the demanded form rules out: longer than needed, indefinite, or keys out of order.
        public static let notDeterministic = Code("notDeterministic")
        /// A tag or simple value that ``CBORReadingOptions`` does not allow.
        public static let notAllowed = Code("notAllowed")
        /// Content that the standard does not allow for its tag (RFC 8949 section 3.4).
        public static let invalidTagContent = Code("invalidTagContent")
        /// An item of another kind than the one asked for.
        public static let typeMismatch = Code("typeMismatch")
        /// A number that the type asked for cannot hold.
        public static let outOfRange = Code("outOfRange")
        /// A map without the key, or an array without the element, that was requested.
        public static let missingItem = Code("missingItem")
        /// An array, map or record with more members than the reader knows.
        public static let unexpectedItem = Code("unexpectedItem")
        /// A value that the encoding asked for cannot express.
        public static let notEncodable = Code("notEncodable")
        /// Text that is not diagnostic notation (RFC 8949 section 8, RFC 8610 appendix G).
        public static let invalidNotation = Code("invalidNotation")
        /// Content that a type built on CBOR refuses; the message has the reason.
        public static let invalidValue = Code("invalidValue")
    }
}
