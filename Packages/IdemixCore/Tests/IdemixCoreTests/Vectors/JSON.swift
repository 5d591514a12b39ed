import Foundation
import IdemixCore
import JSONKit
import TestSupport
import Testing

/// A JSON value as the recorded sessions hold it; what is missing is null.
@dynamicMemberLookup
struct JSON {
    let value: JSONValue

    init(_ value: JSONValue) {
        self.value = value
    }

    subscript(dynamicMember name: String) -> JSON { self[name] }

    subscript(name: String) -> JSON { JSON(value[name] ?? .null) }

    var isNull: Bool { value.isNull }

    var array: [JSON] { (value.arrayValue ?? []).map(JSON.init) }

    var object: [(name: String, value: JSON)] {
        (value.objectValue ?? JSONObject()).map { ($0.name, JSON($0.value)) }
    }

    var text: String? { value.stringValue }

    var bool: Bool? { value.boolValue }

    /// The number, or nil where it is none or has a fraction.
    var int: Int? { try? value.numberValue?.integer(as: Int.self) }

    /// The integer in decimal text.
    func decimalInteger() throws -> BigInteger {
        let text = try #require(text)
        return try #require(BigInteger(decimal: text))
    }

    /// A value in its wire form.
    func read<Value: IdemixJSON>(_ type: Value.Type = Value.self) throws -> Value { try Value(json: value) }
}
