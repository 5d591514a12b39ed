/// Writes strings for people, and the escapes of all strings.
enum JSONStringText {
    /// Appends a string between quotes, with every invisible character escaped, and a byte.
    static func appendVisible(_ string: String, then next: UInt8, to output: inout JSONOutput) {
        guard string.utf8.contains(where: { $0 >= 0x7f }) else { return output.append(quoted: string, then: next) }
        var plain = JSONOutput()
        plain.append(quoted: string, then: next)
        for scalar in String(decoding: plain.array(), as: UTF8.self).unicodeScalars {
            guard scalar.isInvisible else {
                for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { output.append(byte) }
                continue
            }
            for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter { appendEscape(unit, to: &output) }
        }
    }

    /// A string between quotes for people, with every invisible character escaped.
    static func quoted(_ string: String) -> String {
        var output = JSONOutput()
        appendVisible(string, then: UInt8(ascii: ","), to: &output)
        output.removeLast()
        return String(decoding: output.array(), as: UTF8.self)
    }

    /// Appends the escape of a quote, a backslash or a control, in the form of RFC 8785, section 3.2.2.2.
    static func appendEscape(_ byte: UInt8, to output: inout JSONOutput) {
        switch byte {
        case 0x08: output.append("\\b")
        case 0x09: output.append("\\t")
        case 0x0a: output.append("\\n")
        case 0x0c: output.append("\\f")
        case 0x0d: output.append("\\r")
        case ..<0x20: appendEscape(UInt16(byte), to: &output)
        default:
            output.append(UInt8(ascii: "\\"))
            output.append(byte)
        }
    }

    /// Appends a UTF-16 code unit as `\uXXXX`.
    private static func appendEscape(_ unit: UInt16, to output: inout JSONOutput) {
        output.append("\\u")
        for shift: UInt16 in [12, 8, 4, 0] {
            let digit = UInt8(truncatingIfNeeded: unit >> shift & 0xf)
            output.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }
}
