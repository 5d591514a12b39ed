/// A JSON value that owns its parts.
///
/// Objects keep the order of their members, numbers their text. A value that was read is written back to the same text,
/// but for white space and the choice of escapes.
///
/// Two values are equal when they say the same in JSON's data model: objects with the same members in any order,
/// arrays with the same elements in the same order, strings and names with the same UTF-8 bytes (Swift's own `String`
/// takes `"é"` in its two spellings for the same; here they are different), numbers with the same text.
///
/// The members of an object that was read become values together when one of them is first looked at, those of an object of at
/// most 4 kB with all that is inside it. Such an object keeps the text that it was read from, with its index, for as long as it or one
/// of its copies is not changed. In a text of at most 4 kB that is the outermost object alone, and the values inside it keep nothing,
/// unless they are nested deeper than 32 levels. A value of at most 4 kB that a ``JSONView`` gives is made at once, and keeps nothing.
public enum JSONValue: Sendable {
    /// The value `null`.
    case null
    /// The value `true` or `false`.
    case bool(Bool)
    /// A number, kept as written.
    case number(JSONNumber)
    /// A text.
    case string(String)
    /// Elements in an order.
    case array([JSONValue])
    /// Members in an order, with distinct names.
    case object(JSONObject)

    /// The largest nesting depth of a value that is read from a text, whatever the limits of reading: 512.
    ///
    /// Values of values are released one inside the other, which takes stack. Deeper texts can be read as a
    /// ``JSONDocument``, whose views have no such bound.
    public static let maximumDepth = 512
}

extension JSONValue {
    /// A number, of an integer.
    public static func integer(_ integer: some BinaryInteger) -> JSONValue {
        .number(JSONNumber(integer))
    }

    /// The kind of value.
    public var kind: JSONKind {
        switch self {
        case .null: .null
        case .bool: .boolean
        case .number: .number
        case .string: .string
        case .array: .array
        case .object: .object
        }
    }

    /// Indicates that the value is `null`.
    public var isNull: Bool { kind == .null }

    /// The truth value, or nil for values of other kinds.
    public var boolValue: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The number, or nil for values of other kinds.
    public var numberValue: JSONNumber? {
        if case .number(let value) = self { value } else { nil }
    }

    /// The text, or nil for values of other kinds.
    public var stringValue: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The elements, or nil for values of other kinds.
    public var arrayValue: [JSONValue]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The members, or nil for values of other kinds.
    public var objectValue: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }

    /// The value of the member with this name; nil if absent, or if this is not an object.
    public subscript(name: String) -> JSONValue? { objectValue?[name] }

    /// The element at this index, counted from 0; nil if absent, or if this is not an array.
    public subscript(index: Int) -> JSONValue? {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
        return elements[index]
    }
}
