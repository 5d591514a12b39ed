import Foundation
import IdemixCore
import Testing

/// A JSON value as the recorded sessions hold it.
@dynamicMemberLookup
enum JSON: Decodable {
    case null
    case bool(Bool)
    case number(Decimal)
    case text(String)
    case array([JSON])
    case object([String: JSON])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([JSON].self) {
            self = .array(value)
        } else if let value = try? container.decode([String: JSON].self) {
            self = .object(value)
        } else {
            self = .number(try container.decode(Decimal.self))
        }
    }

    subscript(dynamicMember name: String) -> JSON { self[name] }

    subscript(name: String) -> JSON { object[name] ?? .null }

    var isNull: Bool { if case .null = self { true } else { false } }

    var array: [JSON] { if case .array(let values) = self { values } else { [] } }

    var object: [String: JSON] { if case .object(let values) = self { values } else { [:] } }

    var text: String? { if case .text(let value) = self { value } else { nil } }

    var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The number, or nil where it is none or has a fraction.
    var int: Int? { if case .number(let value) = self { Int(value.description) } else { nil } }

    /// The integer in base64 of its big-endian bytes.
    func base64Integer() throws -> BigInteger {
        let text = try #require(text)
        return BigInteger(bytes: try #require(Data(base64Encoded: text)))
    }

    /// The integer in decimal text.
    func decimalInteger() throws -> BigInteger {
        let text = try #require(text)
        return try #require(BigInteger(decimal: text))
    }

    /// Integers in base64 by decimal index.
    func indexedIntegers() throws -> [Int: BigInteger] {
        var integers: [Int: BigInteger] = [:]
        for (index, value) in object { integers[try #require(Int(index))] = try value.base64Integer() }
        return integers
    }
}
