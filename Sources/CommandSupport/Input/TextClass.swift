#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The smallest of the text encodings whose digits make up a text, with white space between them.
package enum TextClass {
    case hexadecimal
    /// Letters and digits, and perhaps `+`, `/` and padding.
    case base64
    /// Letters and digits with `-` or `_`.
    case base64url
    case other

    /// Scans the bytes, a block at a time, until one is outside every encoding.
    package init(_ text: ArraySlice<UInt8>) {
        var found: UInt8 = 0
        text.withUnsafeBufferPointer { text in
            Self.classes.withUnsafeBufferPointer { classes in
                var start = 0
                while start < text.count, found < Self.foreign {
                    let end = min(start + 4096, text.count)
                    for position in start..<end { found |= classes[Int(text[position])] }
                    start = end
                }
            }
        }
        self =
            switch found {
            case 0, Self.foreign...: .other
            case Self.hexDigit: .hexadecimal
            case _ where found & Self.urlOnly == 0: .base64
            case _ where found & Self.standardOnly == 0: .base64url
            default: .other
            }
    }

    private static let hexDigit: UInt8 = 1
    private static let otherLetter: UInt8 = 2
    private static let standardOnly: UInt8 = 4
    private static let urlOnly: UInt8 = 8
    private static let foreign: UInt8 = 128

    /// The encodings that each byte may belong to; 0 for white space.
    private static let classes: [UInt8] = (0...255).map { (byte: UInt8) in
        switch byte {
        case _ where isSpace(byte): 0
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            hexDigit
        case UInt8(ascii: "g")...UInt8(ascii: "z"), UInt8(ascii: "G")...UInt8(ascii: "Z"): otherLetter
        case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): standardOnly
        case UInt8(ascii: "-"), UInt8(ascii: "_"): urlOnly
        default: foreign
        }
    }

    package static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || isNewline(byte) }

    package static func isNewline(_ byte: UInt8) -> Bool { byte == 0x0a || byte == 0x0d }

    /// A text without white space around it.
    package static func trimmed(_ text: [UInt8]) -> ArraySlice<UInt8> {
        guard let first = text.firstIndex(where: { !isSpace($0) }), let last = text.lastIndex(where: { !isSpace($0) })
        else { return [] }
        return text[first...last]
    }

    /// Returns `true` for a text that begins with an ASCII prefix in either case.
    package static func starts(_ text: ArraySlice<UInt8>, withLowercased prefix: [UInt8]) -> Bool {
        text.prefix(prefix.count).elementsEqual(prefix) { byte, expected in
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 == expected : byte == expected
        }
    }

    /// The start of a line that begins with a PEM boundary.
    ///
    /// The boundary begins with a hyphen.
    package static func lineStart(with boundary: [UInt8], in text: ArraySlice<UInt8>) -> Int? {
        text.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return nil }
            var position = 1
            while position + boundary.count <= buffer.count,
                let found = memchr(base + position, Int32(UInt8(ascii: "-")), buffer.count - position)
            {
                position = UnsafeRawPointer(base).distance(to: UnsafeRawPointer(found))
                if isNewline(base[position - 1]), buffer[position...].starts(with: boundary) {
                    return text.startIndex + position
                }
                position += 1
            }
            return nil
        }
    }
}

/// Decodes text that consists of digits of an encoding with white space between them.
package enum TextDecoder {
    private static let white: UInt8 = 64
    private static let padding: UInt8 = 65
    private static let foreign: UInt8 = 255

    /// The value of each byte as a digit of either alphabet of base64 (RFC 4648, sections 4 and 5).
    private static let digits: [UInt8] = {
        var values = [UInt8](repeating: foreign, count: 256)
        let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
        for (value, digit) in digits.utf8.enumerated() { values[Int(digit)] = UInt8(value) }
        for digit in "+-".utf8 { values[Int(digit)] = 62 }
        for digit in "/_".utf8 { values[Int(digit)] = 63 }
        for byte: UInt8 in 0...255 where TextClass.isSpace(byte) { values[Int(byte)] = white }
        values[Int(UInt8(ascii: "="))] = padding
        return values
    }()

    /// Decoded base64.
    package struct Base64 {
        /// The bytes.
        package let bytes: [UInt8]
        /// Indicates that the text had padding.
        package let isPadded: Bool
        /// Indicates that the text lacked padding that its length calls for.
        package let lacksPadding: Bool
    }

    /// Decodes base64 in either alphabet; nil for a foreign byte, wrong padding, or unused bits that are not zero.
    package static func base64(_ text: ArraySlice<UInt8>) -> Base64? {
        var paddings = 0
        var count = 0
        var bits: UInt32 = 0
        var isValid = true
        let bytes = [UInt8](unsafeUninitializedCapacity: text.count / 4 * 3 + 3) { output, size in
            text.withUnsafeBufferPointer { text in
                digits.withUnsafeBufferPointer { digits in
                    var position = 0
                    while position < text.count {
                        // Most text consists of contiguous groups.
                        while count == 0, paddings == 0, position + 4 <= text.count {
                            let (a, b) = (digits[Int(text[position])], digits[Int(text[position + 1])])
                            let (c, d) = (digits[Int(text[position + 2])], digits[Int(text[position + 3])])
                            guard a | b | c | d < white else { break }
                            let group = UInt32(a) << 18 | UInt32(b) << 12 | UInt32(c) << 6 | UInt32(d)
                            output[size] = UInt8(truncatingIfNeeded: group >> 16)
                            output[size + 1] = UInt8(truncatingIfNeeded: group >> 8)
                            output[size + 2] = UInt8(truncatingIfNeeded: group)
                            size += 3
                            position += 4
                        }
                        guard position < text.count else { break }
                        let value = digits[Int(text[position])]
                        position += 1
                        switch value {
                        case ..<white:
                            guard paddings == 0 else {
                                isValid = false
                                return
                            }
                            bits = bits << 6 | UInt32(value)
                            count += 1
                            guard count == 4 else { continue }
                            output[size] = UInt8(truncatingIfNeeded: bits >> 16)
                            output[size + 1] = UInt8(truncatingIfNeeded: bits >> 8)
                            output[size + 2] = UInt8(truncatingIfNeeded: bits)
                            size += 3
                            (count, bits) = (0, 0)
                        case white: continue
                        case padding:
                            paddings += 1
                            guard paddings <= 2 else {
                                isValid = false
                                return
                            }
                        default:
                            isValid = false
                            return
                        }
                    }
                    // The remaining digits stand for one byte or two.
                    let unused: UInt32 = count == 2 ? 4 : count == 3 ? 2 : 0
                    guard count != 1, bits & (1 << unused - 1) == 0 else {
                        isValid = false
                        return
                    }
                    bits >>= unused
                    if count == 3 {
                        output[size] = UInt8(truncatingIfNeeded: bits >> 8)
                        size += 1
                    }
                    if count > 1 {
                        output[size] = UInt8(truncatingIfNeeded: bits)
                        size += 1
                    }
                }
            }
        }
        let wanted = (4 - count) % 4
        guard isValid, paddings == wanted || paddings == 0 else { return nil }
        return Base64(bytes: bytes, isPadded: paddings > 0, lacksPadding: wanted > 0 && paddings == 0)
    }

    /// Decodes hexadecimal digits with white space between them; nil for an odd number of digits.
    package static func hexadecimal(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        // The low bits of a digit are its value; letters begin at 1, for 10.
        func value(_ digit: UInt8) -> UInt8 { digit & 0x0f &+ (digit > UInt8(ascii: "9") ? 9 : 0) }
        var high: UInt8?
        let bytes = [UInt8](unsafeUninitializedCapacity: text.count / 2) { output, size in
            text.withUnsafeBufferPointer { text in
                var position = 0
                while position < text.count {
                    // Most text consists of contiguous pairs.
                    while high == nil, position + 2 <= text.count, text[position] > 0x20, text[position + 1] > 0x20 {
                        output[size] = value(text[position]) << 4 | value(text[position + 1])
                        size += 1
                        position += 2
                    }
                    guard position < text.count else { break }
                    let byte = text[position]
                    position += 1
                    guard byte > 0x20 else { continue }
                    guard let first = high else {
                        high = value(byte)
                        continue
                    }
                    output[size] = first << 4 | value(byte)
                    size += 1
                    high = nil
                }
            }
        }
        return high == nil ? bytes : nil
    }
}
