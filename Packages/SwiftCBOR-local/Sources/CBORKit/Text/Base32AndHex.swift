/// Base32 text (RFC 4648 sections 6 and 7).
enum Base32 {
    /// The characters of the values 0 to 31.
    enum Alphabet {
        /// `A` to `Z`, `2` to `7`.
        case standard
        /// `0` to `9`, `A` to `V`.
        case extendedHex

        fileprivate func value(of character: UInt8) -> UInt32? {
            switch (self, character) {
            case (.standard, 0x41...0x5a): UInt32(character - 0x41)
            case (.standard, 0x61...0x7a): UInt32(character - 0x61)
            case (.standard, 0x32...0x37): UInt32(character - 0x32) + 26
            case (.extendedHex, 0x30...0x39): UInt32(character - 0x30)
            case (.extendedHex, 0x41...0x56): UInt32(character - 0x41) + 10
            case (.extendedHex, 0x61...0x76): UInt32(character - 0x61) + 10
            default: nil
            }
        }
    }

    /// The bytes of text in capital or small letters, with or without padding; nil for other characters, a length that
    /// cannot be, or bits left over that are not zero.
    static func bytes(_ text: some BidirectionalCollection<UInt8>, alphabet: Alphabet) -> [UInt8]? {
        let padding = text.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard padding == 0 || text.count % 8 == 0 && [1, 3, 4, 6].contains(padding) else { return nil }
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        for character in text.dropLast(padding) {
            guard let value = alphabet.value(of: character) else { return nil }
            bits = bits << 5 | value
            count += 5
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
        return count < 5 && bits & (1 << UInt32(count) - 1) == 0 ? bytes : nil
    }
}

/// Hexadecimal text.
enum Hex {
    private static let digits = Array("0123456789abcdef".utf8)

    /// The bytes in lower-case digits.
    static func text(_ bytes: some Collection<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 2)
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}
