/// A JSON value of a vector file whose members differ from case to case.
public enum VectorJSON: Decodable, Equatable, Sendable {
    case null
    case bool(Bool)
    case integer(Int128)
    /// A number with a fraction, or an integer beyond 64 bits as near as JSON readers keep it.
    case number(Double)
    case string(String)
    case array([VectorJSON])
    case object([String: VectorJSON])

    /// Reads any value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(UInt64.self) {
            self = .integer(Int128(value))
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(Int128(value))
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([VectorJSON].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: VectorJSON].self))
        }
    }
}

extension VectorJSON {
    /// The member of an object with a name, or nil.
    public subscript(name: String) -> VectorJSON? { object?[name] }

    /// Indicates that the value is null.
    public var isNull: Bool { self == .null }

    /// The members of an object, or nil.
    public var object: [String: VectorJSON]? { if case .object(let members) = self { members } else { nil } }

    /// The elements of an array, or nil.
    public var array: [VectorJSON]? { if case .array(let elements) = self { elements } else { nil } }

    /// The text of a string, or nil.
    public var string: String? { if case .string(let text) = self { text } else { nil } }

    /// The integer, or nil.
    public var integer: Int? { if case .integer(let integer) = self { Int(exactly: integer) } else { nil } }

    /// The Boolean, or nil.
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The bytes of a string in hexadecimal, or nil.
    public var hex: [UInt8]? { string.flatMap { [UInt8](hex: $0) } }
}
