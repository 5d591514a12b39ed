import JSONKit

extension JSONView {
    /// The value, owning its parts; what has no parts is read without building anything.
    func ownedValue() throws(JSONError) -> JSONValue {
        switch kind {
        case .string: .string(try string())
        case .boolean: .bool(try bool())
        case .number: .number(try number())
        case .null: .null
        case .object, .array: try value()
        }
    }
}
