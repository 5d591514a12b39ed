import IdemixCore
import JSONKit
import Testing

extension JSONValue {
    /// The elements of an array, or none.
    var list: [JSONValue] { arrayValue ?? [] }

    /// The member with a name, or null.
    func member(_ name: String) -> JSONValue { self[name] ?? .null }

    /// The integer in decimal text.
    func decimalInteger() throws -> BigInteger {
        let text = try #require(stringValue)
        return try #require(BigInteger(decimal: text))
    }

    /// The same value with every number, text and Boolean replaced by the name of its kind.
    var shape: JSONValue {
        switch self {
        case .object(let object):
            var shape = JSONObject()
            for (name, value) in object { shape[name] = value.shape }
            return .object(shape)
        case .array(let elements): return .array(elements.map(\.shape))
        case .string: return "text"
        case .number: return "number"
        case .bool: return "flag"
        case .null: return .null
        }
    }
}
