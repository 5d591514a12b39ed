/// Tests on the bytes of a text, singly and several at a time.
enum JSONWord {
    /// The number of spaces at the beginning of eight bytes, the first of which is in the low bits.
    @inline(__always)
    static func countOfSpaces(_ word: UInt64) -> Int {
        (word ^ 0x2020_2020_2020_2020).trailingZeroBitCount &>> 3
    }

    /// The number of digits at the beginning of eight bytes, the first of which is in the low bits.
    @inline(__always)
    static func countOfDigits(_ word: UInt64) -> Int {
        let values = word ^ 0x3030_3030_3030_3030
        // A value of ten and more, or one with its high bit set, is no digit's; no sum carries into the next byte.
        let sums = (values & 0x7f7f_7f7f_7f7f_7f7f) &+ 0x7676_7676_7676_7676
        return ((sums | values) & 0x8080_8080_8080_8080).trailingZeroBitCount &>> 3
    }

    /// The number of bytes before the first backslash among eight bytes, the first of which is in the low bits.
    @inline(__always)
    static func countBeforeBackslash(_ word: UInt64) -> Int {
        let differences = word ^ 0x5c5c_5c5c_5c5c_5c5c
        // The lowest mark is that of a zero; a borrow can only add marks above it.
        let marks = (differences &- 0x0101_0101_0101_0101) & ~differences & 0x8080_8080_8080_8080
        return marks.trailingZeroBitCount &>> 3
    }

    /// The length of the UTF-8 sequence of two to four bytes (RFC 3629, section 4) that begins with the low bits of a
    /// word; 0 if there is none.
    @inline(__always)
    static func sequenceLength(_ word: UInt32) -> Int {
        switch word & 0xff {
        case 0xe0...0xef where word & 0x00c0_c000 == 0x0080_8000:
            // The bits above the second byte's lowest five: all zero in an overlong form, those of 0x0d in a surrogate.
            let high = word & 0x200f
            return high != 0 && high != 0x200d ? 3 : 0
        case 0xc2...0xdf where word & 0xc000 == 0x8000: return 2
        case 0xf0...0xf4 where word & 0xc0c0_c000 == 0x8080_8000:
            let plane = (word & 0x07) << 2 | word >> 12 & 0x03
            return 1...16 ~= plane ? 4 : 0
        default: return 0
        }
    }

    /// Returns `true` if a byte of a string is a quote, a backslash, below 0x20 or above 0x7F.
    @inline(__always)
    static func isSpecial(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte > 0x7f || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    /// The value of a hexadecimal digit in either case.
    static func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
