/// The kinds of data items: the major types of RFC 8949 section 3.1, with type 7 split in two.
public enum CBORKind: Hashable, Sendable, CustomStringConvertible {
    /// An integer from 0 to 2^64 − 1 (major type 0).
    case unsigned
    /// An integer from −2^64 to −1 (major type 1).
    case negative
    /// Bytes (major type 2).
    case byteString
    /// Text in UTF-8 (major type 3).
    case textString
    /// Items in a row (major type 4).
    case array
    /// Pairs of items (major type 5).
    case map
    /// A number that says what the item within means (major type 6).
    case tag
    /// A value without content: false, true, null, undefined or one by number (major type 7).
    case simple
    /// A floating-point number (major type 7).
    case float

    /// The kind in the words of the standard.
    public var description: String {
        switch self {
        case .unsigned: "unsigned integer"
        case .negative: "negative integer"
        case .byteString: "byte string"
        case .textString: "text string"
        case .array: "array"
        case .map: "map"
        case .tag: "tag"
        case .simple: "simple value"
        case .float: "floating-point number"
        }
    }
}
