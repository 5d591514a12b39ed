import VerificationCore

/// The canonical form of terms in N-Quads (RDFC-1.0, appendix A; reference of escapes in section A.1).
enum NQuadsForm {
    /// Appends an IRI between angle brackets.
    static func append(iri: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "<"))
        bytes.append(contentsOf: iri.utf8)
        bytes.append(UInt8(ascii: ">"))
    }

    /// Appends a non-negative number in decimal digits.
    static func append(decimal number: Int, to bytes: inout [UInt8]) {
        if number >= 10 { bytes.append(contentsOf: String(number).utf8) } else { bytes.append(0x30 + UInt8(number)) }
    }

    /// Appends a literal; the datatype `xsd:string` is left out.
    static func append(_ literal: RDFLiteral, to bytes: inout [UInt8]) {
        append(lexicalForm: literal.lexicalForm.text, to: &bytes)
        if let language = literal.language {
            append(language: language.text, to: &bytes)
        } else if literal.datatype != RDFVocabulary.xsdString {
            append(datatype: literal.datatype.text, to: &bytes)
        }
    }

    /// Appends a language tag behind a lexical form.
    static func append(language: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "@"))
        bytes.append(contentsOf: language.utf8)
    }

    /// Appends a datatype behind a lexical form.
    static func append(datatype: String, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: "^^".utf8)
        append(iri: datatype, to: &bytes)
    }

    /// Appends the text of a literal between quotes, with its escapes.
    static func append(lexicalForm: String, to bytes: inout [UInt8]) {
        var lexicalForm = lexicalForm
        bytes.append(UInt8(ascii: "\""))
        lexicalForm.withUTF8 { append(escaping: $0, to: &bytes) }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends valid UTF-8 with the escapes of a literal.
    static func append(escaping text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        var start = 0
        var index = 0
        while index < text.count {
            let byte = text[index]
            let length = needsEscape(byte) ? 1 : isNoncharacter(text, at: index) ? 3 : 0
            guard length > 0 else {
                index += 1
                continue
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<index]))
            appendEscape(of: length == 1 ? UInt16(byte) : 0xffc0 | UInt16(text[index + 2] & 0x3f), to: &bytes)
            index += length
            start = index
        }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
    }

    @inline(__always)
    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7f
    }

    /// Returns `true` for U+FFFE and U+FFFF, which are not characters of XML 1.1.
    @inline(__always)
    private static func isNoncharacter(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
        text[index] == 0xef && index + 2 < text.count && text[index + 1] == 0xbf && text[index + 2] >= 0xbe
    }

    private static func appendEscape(of unit: UInt16, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\\"))
        switch unit {
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0a: bytes.append(UInt8(ascii: "n"))
        case 0x0c: bytes.append(UInt8(ascii: "f"))
        case 0x0d: bytes.append(UInt8(ascii: "r"))
        case 0x22: bytes.append(UInt8(ascii: "\""))
        case 0x5c: bytes.append(UInt8(ascii: "\\"))
        default:
            bytes.append(UInt8(ascii: "u"))
            let digits = String(unit, radix: 16, uppercase: true)
            bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: 4 - digits.utf8.count))
            bytes.append(contentsOf: digits.utf8)
        }
    }
}
