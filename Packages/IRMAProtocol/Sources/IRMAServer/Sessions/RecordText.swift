import JSONKit

/// A JSON text that grows value by value, for what is written often: no tree of values is made.
struct RecordText {
    /// The text so far.
    private(set) var bytes: [UInt8]
    private var needsComma = false

    /// An empty text with room for a number of bytes.
    init(capacity: Int) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    // MARK: Objects and arrays

    mutating func beginObject() { begin(UInt8(ascii: "{")) }

    mutating func endObject() { end(UInt8(ascii: "}")) }

    mutating func beginArray() { begin(UInt8(ascii: "[")) }

    mutating func endArray() { end(UInt8(ascii: "]")) }

    private mutating func begin(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func end(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    // MARK: Members and values

    /// Writes the name of a member, whose value comes next.
    mutating func name(_ name: String) {
        separate()
        quote(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    mutating func write(_ name: String, _ text: String) {
        self.name(name)
        write(text)
    }

    /// Writes a member, or nothing for nil.
    mutating func write(_ name: String, ifPresent text: String?) {
        if let text { write(name, text) }
    }

    mutating func write(_ name: String, _ number: some FixedWidthInteger) {
        write(name, text: String(number).utf8)
    }

    mutating func write(_ name: String, _ value: JSONValue) {
        write(name, text: value.encoded())
    }

    /// Writes a member whose value is a JSON text.
    mutating func write(_ name: String, text: some Collection<UInt8>) {
        self.name(name)
        separate()
        bytes.append(contentsOf: text)
    }

    /// Writes a string.
    mutating func write(_ text: String) {
        separate()
        quote(text)
    }

    private mutating func quote(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { text in
            var start = 0
            for position in text.indices {
                let byte = text[position]
                guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
                bytes.append(contentsOf: text[start..<position])
                escape(byte)
                start = position + 1
            }
            bytes.append(contentsOf: text[start...])
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func escape(_ byte: UInt8) {
        bytes.append(UInt8(ascii: "\\"))
        guard byte < 0x20 else { return bytes.append(byte) }
        bytes.append(contentsOf: "u00".utf8)
        for digit in [byte >> 4, byte & 15] {
            bytes.append(digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10))
        }
    }
}
