/// The form of the keys that ``CBOREncoder`` and ``CBORDecoder`` write and read for Codable types.
public enum CBORKeyForm: Hashable, Sendable {
    /// A key with an `intValue`, such as a case of `enum CodingKeys: Int`, is an integer; all others are text.
    case integersWhereGiven
    /// Every key is text, by its `stringValue`.
    case text
}
