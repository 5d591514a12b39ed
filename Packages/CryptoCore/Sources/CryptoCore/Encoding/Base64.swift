/// Base64 as PEM uses it (RFC 4648, 4): standard alphabet, padding, unused bits zero.
enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Appends the characters of some bytes, with padding.
    static func append(_ bytes: ArraySlice<UInt8>, to text: inout [UInt8]) {
        var start = bytes.startIndex
        while start < bytes.endIndex {
            let group = bytes[start..<min(bytes.endIndex, start + 3)]
            var bits: UInt32 = 0
            for byte in group { bits = bits << 8 | UInt32(byte) }
            bits <<= UInt32(8 * (3 - group.count))
            for place in 0..<4 {
                let value = Int(bits >> UInt32(18 - 6 * place) & 63)
                text.append(place <= group.count ? alphabet[value] : UInt8(ascii: "="))
            }
            start = group.endIndex
        }
    }

    /// Decodes text that comes in pieces.
    struct Decoder {
        private var bytes: [UInt8] = []
        private var bits: UInt32 = 0
        private var count = 0
        private var padding = 0

        /// Takes the next piece; false for anything that is not in the alphabet or comes after padding.
        mutating func decode(_ piece: ArraySlice<UInt8>) -> Bool {
            for character in piece {
                if character == UInt8(ascii: "=") {
                    padding += 1
                    guard padding <= 2 else { return false }
                    continue
                }
                guard padding == 0, let value = Self.value(character) else { return false }
                append(value)
            }
            return true
        }

        /// The bytes, or nil if the text stops within a group, padding is wrong, or unused bits are not zero.
        mutating func finish() -> [UInt8]? {
            switch (count, padding) {
            case (0, 0): return bytes
            case (2, 2):
                guard bits & 0xf == 0 else { return nil }
                bytes.append(UInt8(truncatingIfNeeded: bits >> 4))
            case (3, 1):
                guard bits & 0x3 == 0 else { return nil }
                bytes.append(UInt8(truncatingIfNeeded: bits >> 10))
                bytes.append(UInt8(truncatingIfNeeded: bits >> 2))
            default: return nil
            }
            return bytes
        }

        private mutating func append(_ value: UInt32) {
            bits = bits << 6 | value
            count += 1
            guard count == 4 else { return }
            bytes.append(UInt8(truncatingIfNeeded: bits >> 16))
            bytes.append(UInt8(truncatingIfNeeded: bits >> 8))
            bytes.append(UInt8(truncatingIfNeeded: bits))
            bits = 0
            count = 0
        }

        private static func value(_ character: UInt8) -> UInt32? {
            switch character {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
            case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
            case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
            case UInt8(ascii: "+"): 62
            case UInt8(ascii: "/"): 63
            default: nil
            }
        }
    }
}
