/// Writes strings: only what must be escaped is escaped, in the forms of RFC 8785, section 3.2.2.2.
enum JSONStringText {
    /// Appends a string between quotes.
    static func append(_ string: String, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "\""))
        string.withSpan { bytes in
            var start = 0
            for offset in bytes.indices where mustBeEscaped(bytes[offset]) {
                append(bytes, start..<offset, to: &text)
                appendEscape(bytes[offset], to: &text)
                start = offset + 1
            }
            append(bytes, start..<bytes.count, to: &text)
        }
        text.append(UInt8(ascii: "\""))
    }

    /// Appends a string between quotes, with every invisible character escaped.
    static func appendVisible(_ string: String, to text: inout [UInt8]) {
        let start = text.count
        append(string, to: &text)
        guard text[start...].contains(where: { $0 >= 0x7f }) else { return }
        let written = String(decoding: text[start...], as: UTF8.self)
        text.removeSubrange(start...)
        for scalar in written.unicodeScalars {
            guard scalar.isInvisible else {
                text += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
                continue
            }
            for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
                let digits = String(unit, radix: 16)
                text += "\\u".utf8
                text += repeatElement(UInt8(ascii: "0"), count: max(0, 4 - digits.count))
                text += digits.utf8
            }
        }
    }

    /// A string between quotes for people, with every invisible character escaped.
    static func quoted(_ string: String) -> String {
        var text: [UInt8] = []
        appendVisible(string, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    private static func append(_ bytes: Span<UInt8>, _ range: Range<Int>, to text: inout [UInt8]) {
        unsafe bytes.extracting(range).withUnsafeBufferPointer { unsafe text.append(contentsOf: $0) }
    }

    @inline(__always)
    private static func mustBeEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func appendEscape(_ byte: UInt8, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: text.append(UInt8(ascii: "b"))
        case 0x09: text.append(UInt8(ascii: "t"))
        case 0x0a: text.append(UInt8(ascii: "n"))
        case 0x0c: text.append(UInt8(ascii: "f"))
        case 0x0d: text.append(UInt8(ascii: "r"))
        case ..<0x20:
            text.append(contentsOf: byte < 0x10 ? "u000".utf8 : "u001".utf8)
            text.append(contentsOf: String(byte & 0xf, radix: 16).utf8)
        default: text.append(byte)
        }
    }
}
