import JSONKit
import TestSupport

/// Makes JSON values, the same ones for the same seed.
struct JSONGenerator {
    private static let scalars: [ClosedRange<UInt32>] = [
        0...0x1f, 0x20...0x7e, 0x20...0x7e, 0x7f...0x7ff, 0x800...0xd7ff, 0xe000...0xffff, 0x10000...0x10ffff,
    ]

    var random: RepeatableRandomNumberGenerator

    init(seed: UInt64) {
        random = RepeatableRandomNumberGenerator(seed: seed)
    }

    mutating func value(depth: Int = 5) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &random) {
        case 0: .null
        case 1: .bool(Bool.random(using: &random))
        case 2: .integer(Int.random(in: -1000...1000, using: &random))
        case 3: number()
        case 4, 5: .string(string())
        case 6: .array((0..<Int.random(in: 0...6, using: &random)).map { _ in value(depth: depth - 1) })
        default: .object(object(depth: depth - 1))
        }
    }

    private mutating func object(depth: Int) -> JSONObject {
        let count = Int.random(in: 0...10, using: &random) == 0 ? 40 : Int.random(in: 0...6, using: &random)
        return JSONObject((0..<count).map { _ in (string(), value(depth: depth)) })
    }

    mutating func string() -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...20, using: &random) {
            let range = Self.scalars.randomElement(using: &random) ?? 0x20...0x7e
            if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) { text.append(scalar) }
        }
        return String(text)
    }

    private mutating func number() -> JSONValue {
        let value = Double(bitPattern: random.next())
        guard let number = try? JSONNumber(value) else { return .integer(0) }
        return .number(number)
    }

    /// The text of a value with random white space and random escapes.
    mutating func text(of value: JSONValue) -> [UInt8] {
        var bytes: [UInt8] = []
        append(value, to: &bytes)
        return bytes
    }

    private mutating func append(_ value: JSONValue, to bytes: inout [UInt8]) {
        space(&bytes)
        switch value {
        case .string(let string): append(string, to: &bytes)
        case .array(let elements):
            bytes += "[".utf8
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes += ",".utf8 }
                append(element, to: &bytes)
            }
            space(&bytes)
            bytes += "]".utf8
        case .object(let object):
            bytes += "{".utf8
            for (index, member) in object.enumerated() {
                if index > 0 { bytes += ",".utf8 }
                space(&bytes)
                append(member.name, to: &bytes)
                space(&bytes)
                bytes += ":".utf8
                append(member.value, to: &bytes)
            }
            space(&bytes)
            bytes += "}".utf8
        default: bytes += value.encoded()
        }
        space(&bytes)
    }

    private mutating func append(_ string: String, to bytes: inout [UInt8]) {
        bytes += "\"".utf8
        for scalar in string.unicodeScalars {
            if Int.random(in: 0..<4, using: &random) == 0 {
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16, uppercase: Bool.random(using: &random))
                    bytes += "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8
                }
            } else {
                bytes += JSONValue.string(String(scalar)).encoded().dropFirst().dropLast()
            }
        }
        bytes += "\"".utf8
    }

    private mutating func space(_ bytes: inout [UInt8]) {
        for _ in 0..<Int.random(in: 0...2, using: &random) {
            bytes.append(" \n\r\t".utf8.randomElement(using: &random) ?? 0x20)
        }
    }
}
