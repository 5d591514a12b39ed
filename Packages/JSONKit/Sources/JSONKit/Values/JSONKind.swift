/// The six kinds of JSON values (RFC 8259, section 3); `true` and `false` are one kind.
public enum JSONKind: String, Hashable, Sendable, CustomStringConvertible {
    /// Members, each a name and a value.
    case object
    /// Elements in an order.
    case array
    /// Text.
    case string
    /// A decimal number.
    case number
    /// `true` or `false`.
    case boolean
    /// `null`.
    case null

    /// The kind's name.
    public var description: String { rawValue }
}
