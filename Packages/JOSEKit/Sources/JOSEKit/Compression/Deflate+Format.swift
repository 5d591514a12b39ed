extension Deflate {
    /// The framing of the compressed data.
    public enum Format: Hashable, Sendable {
        /// Nothing: RFC 1951, as JWE's `zip` has it.
        case raw
        /// A header and a checksum: RFC 1950, as status lists have it.
        case zlib
        /// A header, a checksum and the length: RFC 1952, as bitstring status lists have it; one member only.
        case gzip
    }

    /// The compression level, which trades time for size.
    public struct Level: Hashable, Sendable {
        let value: Int32

        /// No compression at all.
        public static let stored = Level(value: 0)
        /// The fastest compression.
        public static let fastest = Level(value: 1)
        /// zlib's own middle.
        public static let balanced = Level(value: 6)
        /// The smallest result.
        public static let smallest = Level(value: 9)
    }
}
