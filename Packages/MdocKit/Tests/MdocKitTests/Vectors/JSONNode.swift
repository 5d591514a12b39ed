import CBORKit
import TestSupport

/// A JSON value of a vector file, whose members differ from vector to vector.
enum JSONNode: Decodable, Sendable {
    case null
    case bool(Bool)
    case number(Int)
    case string(String)
    case array([JSONNode])
    case object([String: JSONNode])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONNode].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONNode].self))
        }
    }

    subscript(key: String) -> JSONNode? { object?[key] }

    var object: [String: JSONNode]? {
        guard case .object(let members) = self else { return nil }
        return members
    }

    var array: [JSONNode]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    var number: Int? {
        guard case .number(let number) = self else { return nil }
        return number
    }

    var bool: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// The bytes of a string in hexadecimal.
    var hex: [UInt8]? { string.flatMap { [UInt8](hex: $0) } }

    /// Whether a CBOR value is the one that the vectors write as `{"tag", "value"}`, `{"bstr"}` or plain JSON.
    func describes(_ value: CBOR) -> Bool {
        switch self {
        case .null: return value.isNull
        case .bool(let expected): return value.boolValue == expected
        case .number(let expected): return value.integerValue == Int128(expected)
        case .string(let expected): return value.textValue == expected
        case .array(let expected):
            guard let elements = value.arrayValue, elements.count == expected.count else { return false }
            return zip(expected, elements).allSatisfy { $0.describes($1) }
        case .object(let expected):
            if let bytes = expected["bstr"]?.hex { return value.bytesValue == bytes }
            if let tag = expected["tag"]?.number, let content = expected["value"] {
                guard case .tagged(let number, let inner) = value else { return false }
                return number == UInt64(tag) && content.describes(inner)
            }
            guard let map = value.mapValue, map.count == expected.count else { return false }
            return map.allSatisfy { pair in
                pair.key.textValue.flatMap { expected[$0] }?.describes(pair.value) ?? false
            }
        }
    }
}
