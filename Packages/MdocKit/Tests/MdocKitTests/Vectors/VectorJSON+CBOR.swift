import CBORKit
import TestSupport

extension VectorJSON {
    /// Returns `true` if a CBOR value is the one that the vectors write as `{"tag", "value"}`, `{"bstr"}` or plain
    /// JSON.
    func describes(_ value: CBOR) -> Bool {
        switch self {
        case .null: return value.isNull
        case .bool(let expected): return value.boolValue == expected
        case .integer(let expected): return value.integerValue == expected
        case .number(let expected): return value.doubleValue == expected
        case .string(let expected): return value.textValue == expected
        case .array(let expected):
            guard let elements = value.arrayValue, elements.count == expected.count else { return false }
            return zip(expected, elements).allSatisfy { $0.describes($1) }
        case .object(let expected):
            if let bytes = expected["bstr"]?.hex { return value.bytesValue == bytes }
            if let tag = expected["tag"]?.integer, let content = expected["value"] {
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
