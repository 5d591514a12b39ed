/// The smallest of the text encodings whose digits, with white space between them, a text consists of.
enum TextClass {
    case hexadecimal
    case base64
    case base64url
    case other

    /// Looks at the bytes until one is none of any encoding.
    init(_ text: ArraySlice<UInt8>) {
        let classes = Self.classes
        var found: UInt8 = 0
        for byte in text {
            found |= classes[Int(byte)]
            if found >= Self.foreign { break }
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

    /// For each byte what it can be; 0 for white space.
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

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || isNewline(byte) }

    static func isNewline(_ byte: UInt8) -> Bool { byte == 0x0a || byte == 0x0d }

    /// A text without white space around it.
    static func trimmed(_ text: [UInt8]) -> ArraySlice<UInt8> {
        guard let first = text.firstIndex(where: { !isSpace($0) }), let last = text.lastIndex(where: { !isSpace($0) })
        else { return [] }
        return text[first...last]
    }

    /// Whether a text begins with an ASCII prefix in either case.
    static func starts(_ text: ArraySlice<UInt8>, withLowercased prefix: [UInt8]) -> Bool {
        text.prefix(prefix.count).elementsEqual(prefix) {
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 == $1 : $0 == $1
        }
    }
}

/// Decodes text whose bytes are known, or found, to be digits of an encoding with white space between them.
enum TextDecoder {
    /// An alphabet of base64 (RFC 4648, sections 4 and 5).
    enum Alphabet {
        /// With `+` and `/`, and padding.
        case standard
        /// With `-` and `_`, and no padding.
        case url

        fileprivate var values: [UInt8] { self == .standard ? TextDecoder.standard : TextDecoder.url }
    }

    private static let white: UInt8 = 64
    private static let padding: UInt8 = 65
    private static let foreign: UInt8 = 255
    private static let standard = values("+/", padding: padding)
    private static let url = values("-_", padding: foreign)

    private static func values(_ last: String, padding: UInt8) -> [UInt8] {
        var values = [UInt8](repeating: foreign, count: 256)
        let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + last
        for (value, digit) in digits.utf8.enumerated() { values[Int(digit)] = UInt8(value) }
        for byte: UInt8 in 0...255 where TextClass.isSpace(byte) { values[Int(byte)] = white }
        values[Int(UInt8(ascii: "="))] = padding
        return values
    }

    /// Bytes from base64, or nil where it is none: a foreign byte, wrong padding, or unused bits that are not zero.
    static func base64(_ text: ArraySlice<UInt8>, _ alphabet: Alphabet) -> [UInt8]? {
        let values = alphabet.values
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3 + 3)
        var bits: UInt32 = 0
        var count = 0
        var paddings = 0
        for byte in text {
            let value = values[Int(byte)]
            if value < white {
                guard paddings == 0 else { return nil }
                bits = bits << 6 | UInt32(value)
                count += 1
                if count == 4 {
                    bytes.append(UInt8(truncatingIfNeeded: bits >> 16))
                    bytes.append(UInt8(truncatingIfNeeded: bits >> 8))
                    bytes.append(UInt8(truncatingIfNeeded: bits))
                    count = 0
                    bits = 0
                }
            } else if value == padding {
                paddings += 1
            } else if value == foreign {
                return nil
            }
        }
        guard paddings == (alphabet == .standard ? (4 - count) % 4 : 0), count != 1 else { return nil }
        let unused = UInt32(count == 2 ? 4 : count == 3 ? 2 : 0)
        guard bits & (1 << unused - 1) == 0 else { return nil }
        if count == 3 { bytes.append(UInt8(truncatingIfNeeded: bits >> 10)) }
        if count > 1 { bytes.append(UInt8(truncatingIfNeeded: bits >> (count == 3 ? 2 : 4))) }
        return bytes
    }

    /// Whether hexadecimal digits come in pairs.
    static func isEven(_ text: ArraySlice<UInt8>) -> Bool {
        text.reduce(into: true) { isEven, byte in if !TextClass.isSpace(byte) { isEven.toggle() } }
    }

    /// Bytes from text that holds an even number of hexadecimal digits, and white space.
    static func hexadecimal(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 2)
        var high: UInt8?
        for byte in text where !TextClass.isSpace(byte) {
            // The low bits of a digit are its value; letters begin at 1, for 10.
            let value = byte & 0x0f &+ (byte > UInt8(ascii: "9") ? 9 : 0)
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return bytes
    }
}
