/// The form of an item that is not written in the preferred way (RFC 8949 section 4.1).
///
/// Diagnostic notation has encoding indicators for the same (section 8.1). The precision of a floating-point number is
/// in ``CBORFloat`` instead. ``FormedCBOR`` writes the forms, and refuses one that does not fit its value.
public enum CBORForm: Hashable, Sendable {
    /// The argument of the head takes more bytes than needed: `_0` to `_3`.
    case width(CBORWidth)
    /// The array or map has an indefinite length: `[_ ]`, `{_ }`.
    case indefinite
    /// The string is in chunks, whose lengths in bytes add up to it: `(_ )`.
    case chunks([Chunk])

    /// One definite-length string of an indefinite-length one.
    public struct Chunk: Hashable, Sendable {
        /// The length of the chunk in bytes.
        public var count: Int
        /// The width of the chunk's head if it takes more bytes than needed.
        public var width: CBORWidth?

        /// A chunk of so many bytes.
        public init(count: Int, width: CBORWidth? = nil) {
            self.count = count
            self.width = width
        }
    }
}
