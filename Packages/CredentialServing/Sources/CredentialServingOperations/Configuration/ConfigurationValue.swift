#if Server
public import JSONKit

/// A value of a configuration, before it is read as the type of its key.
public indirect enum ConfigurationValue: Hashable, Sendable {
    /// No value: JSON's and YAML's `null`.
    case null
    /// Text without a type of its own: a flag, a variable, or a plain scalar of YAML.
    ///
    /// The type of the key says how to read it.
    case plain(String)
    /// Text that its source marks as text.
    case string(String)
    /// A whole number.
    case integer(Int)
    /// A number with a fraction or an exponent.
    case number(Double)
    /// True or false.
    case boolean(Bool)
    /// Values in order.
    case list([ConfigurationValue])
    /// Named values in the order of their names' bytes.
    case table([Member])

    /// A named value of a table.
    public struct Member: Hashable, Sendable {
        /// The name as written.
        public let name: String
        /// The value.
        public let value: ConfigurationValue

        /// Names a value.
        public init(_ name: String, _ value: ConfigurationValue) {
            self.name = name
            self.value = value
        }
    }

    /// The largest number of values in one source: 20,000.
    public static let maximumCount = 20_000
    /// The deepest nesting of lists and tables in one source: 32.
    public static let maximumDepth = 32

    /// A table of members, sorted by the bytes of their names.
    static func table(sorting members: [Member]) -> ConfigurationValue {
        .table(members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) })
    }

    /// The kind of the value for messages, without the value.
    var kindName: String {
        switch self {
        case .null: "null"
        case .plain, .string: "text"
        case .integer: "a whole number"
        case .number: "a number with a fraction"
        case .boolean: "true or false"
        case .list: "a list"
        case .table: "a table"
        }
    }

    /// The text of a single value; nil for lists, tables and null.
    var text: String? {
        switch self {
        case .plain(let text), .string(let text): text
        case .integer(let number): String(number)
        case .number(let number): "\(number)"
        case .boolean(let flag): flag ? "true" : "false"
        case .null, .list, .table: nil
        }
    }

    /// The value in JSON's data model.
    ///
    /// A plain scalar becomes what the core schema of YAML 1.2 takes it for (section 10.3.2): null, true, false, a
    /// decimal number, or else text. A number that is not finite becomes null.
    public var jsonValue: JSONValue {
        switch self {
        case .null: .null
        case .plain(let text): Self.resolved(text)
        case .string(let text): .string(text)
        case .integer(let number): .integer(number)
        case .number(let number): (try? JSONNumber(number)).map(JSONValue.number) ?? .null
        case .boolean(let flag): .bool(flag)
        case .list(let values): .array(values.map(\.jsonValue))
        case .table(let members):
            // The readers refuse a table that names a member twice.
            .object(JSONObject(members.map { ($0.name, $0.value.jsonValue) }))
        }
    }

    private static func resolved(_ text: String) -> JSONValue {
        switch text {
        case "", "~", "null", "Null", "NULL": .null
        case "true", "True", "TRUE": .bool(true)
        case "false", "False", "FALSE": .bool(false)
        default: (try? JSONNumber(text: text)).map(JSONValue.number) ?? .string(text)
        }
    }

    /// The value of a JSON text.
    init(_ value: JSONValue) {
        switch value {
        case .null: self = .null
        case .bool(let flag): self = .boolean(flag)
        case .string(let text): self = .string(text)
        case .array(let elements): self = .list(elements.map(ConfigurationValue.init))
        case .object(let object):
            self = .table(sorting: object.map { Member($0.name, ConfigurationValue($0.value)) })
        case .number(let number):
            if let integer = try? number.integer(as: Int.self) {
                self = .integer(integer)
            } else {
                self = (try? number.nearestDouble()).map(ConfigurationValue.number) ?? .string(number.text)
            }
        }
    }
}
#endif
