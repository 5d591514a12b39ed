import JSONKit

/// Texts that are large where a server reads them, and the JSON beside which the reading is measured.
enum HostileText {
    /// A text many times, together of about a size in bytes.
    static func repeated(_ text: String, upTo size: Int) -> String {
        String(repeating: text, count: max(size / text.utf8.count, 1))
    }

    /// Members with names of their own.
    static func members(upTo size: Int, value: String = "[]") -> String {
        var text = ""
        var number = 0
        while text.utf8.count < size - value.utf8.count - 16 {
            text += "\"m\(number)\":\(value),"
            number += 1
        }
        return text + "\"last\":\(value)"
    }

    /// Reads a JSON text to its last value: members of objects are made when they are looked at.
    ///
    /// - Returns: The number of values.
    static func read(_ json: [UInt8]) throws -> Int {
        func count(_ value: JSONValue) -> Int {
            switch value {
            case .array(let elements): elements.reduce(1) { $0 + count($1) }
            case .object(let members): members.reduce(1) { $0 + count($1.value) }
            case .null, .bool, .number, .string: 1
            }
        }
        return count(try JSONValue(parsing: json, limits: JSONLimits(size: json.count)))
    }

    /// A JSON text itself, where it can be read; else as many bytes of short texts in an array.
    static func reference(for json: [UInt8], count: Int) -> [UInt8] {
        if (try? JSONValue(parsing: json, limits: JSONLimits(size: json.count))) != nil { return json }
        let element = Array("\"0123456789abcdef\",".utf8)
        var bytes: [UInt8] = [UInt8(ascii: "[")]
        while bytes.count + element.count + 2 < count { bytes += element }
        return bytes + Array("\"\"]".utf8)
    }
}
