import Foundation
import IdemixCore
import TestSupport
import Testing

/// A JSON value as the recorded sessions hold it; what is not there is null.
@dynamicMemberLookup
struct JSON: Decodable {
    private let value: VectorJSON

    private init(_ value: VectorJSON) {
        self.value = value
    }

    init(from decoder: any Decoder) throws {
        value = try VectorJSON(from: decoder)
    }

    subscript(dynamicMember name: String) -> JSON { self[name] }

    subscript(name: String) -> JSON { JSON(value[name] ?? .null) }

    var isNull: Bool { value.isNull }

    var array: [JSON] { (value.array ?? []).map(JSON.init) }

    var object: [String: JSON] { (value.object ?? [:]).mapValues(JSON.init) }

    var text: String? { value.string }

    var bool: Bool? { value.bool }

    /// The number, or nil where it is none or has a fraction.
    var int: Int? { value.integer }

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
