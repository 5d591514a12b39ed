/// Tests on the bytes of a text, singly and several at a time.
enum JSONWord {
    /// Two characters of ASCII as one number, the first in the low bits.
    @inline(__always)
    static func pair(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> UInt16 {
        UInt16(truncatingIfNeeded: first.value | second.value &<< 8)
    }

    /// Eight spaces.
    static let spaces: UInt64 = 0x2020_2020_2020_2020

    /// The number of spaces at the beginning of eight bytes, the first of which is in the low bits.
    @inline(__always)
    static func countOfSpaces(_ word: UInt64) -> Int {
        (word ^ spaces).trailingZeroBitCount &>> 3
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
        // Two bytes: 110xxxxx 10xxxxxx; with the four bits above the lowest one zero it is overlong.
        if word & 0xc0e0 == 0x80c0 { return word & 0x1e != 0 ? 2 : 0 }
        // Three bytes: 1110xxxx 10xxxxxx 10xxxxxx.
        if word & 0x00c0_c0f0 == 0x0080_80e0 {
            // The bits above the second byte's lowest five: all zero in an overlong form, those of 0x0d in a surrogate.
            let high = word & 0x200f
            return high != 0 && high != 0x200d ? 3 : 0
        }
        // Four bytes: 11110xxx 10xxxxxx 10xxxxxx 10xxxxxx.
        guard word & 0xc0c0_c0f8 == 0x8080_80f0 else { return 0 }
        let plane = (word & 0x07) << 2 | word >> 12 & 0x03
        return 1...16 ~= plane ? 4 : 0
    }

    /// Returns `true` if eight bytes are four UTF-8 sequences of two bytes.
    @inline(__always)
    static func isFourPairs(_ word: UInt64) -> Bool {
        // The four bits of each that must not all be zero; adding 15 carries into the bit above them if one is set.
        let high = (word &>> 1 & 0x000f_000f_000f_000f) &+ 0x000f_000f_000f_000f
        return word & 0xc0e0_c0e0_c0e0_c0e0 == 0x80c0_80c0_80c0_80c0
            && high & 0x0010_0010_0010_0010 == 0x0010_0010_0010_0010
    }

    /// Returns `true` if the first six of eight bytes are two UTF-8 sequences of three bytes.
    @inline(__always)
    static func isTwoTriples(_ word: UInt64) -> Bool {
        // The bits that must not all be zero, nor those of a surrogate, see `sequenceLength(_:)`; adding 0xffff carries into
        // the bit above them if one is set.
        let high = word & 0x0000_0020_0f00_200f
        let notOverlong = high &+ 0x0000_00ff_ff00_ffff
        let notSurrogate = (high ^ 0x0000_0020_0d00_200d) &+ 0x0000_00ff_ff00_ffff
        return word & 0x0000_c0c0_f0c0_c0f0 == 0x0000_8080_e080_80e0
            && notOverlong & notSurrogate & 0x0000_0100_0001_0000 == 0x0000_0100_0001_0000
    }

    /// The number that four hexadecimal digits in either case are, the first of which is in the low bits; nil for other
    /// bytes.
    @inline(__always)
    static func codeUnit(_ word: UInt32) -> UInt16? {
        // 'a' to 'f' and 'A' to 'F' differ in one bit.
        let lower = word | 0x2020_2020
        // In the high bit of a byte below 0x80: at least '0', more than '9', at least 'a', more than 'f'.
        let from0 = (word & 0x7f7f_7f7f) &+ 0x5050_5050
        let after9 = (word & 0x7f7f_7f7f) &+ 0x4646_4646
        let fromA = (lower & 0x7f7f_7f7f) &+ 0x1f1f_1f1f
        let afterF = (lower & 0x7f7f_7f7f) &+ 0x1919_1919
        let digits = (from0 & ~after9 | fromA & ~afterF) & ~word & 0x8080_8080
        guard digits == 0x8080_8080 else { return nil }
        let values = (word & 0x0f0f_0f0f) &+ (word &>> 6 & 0x0101_0101) &* 9
        // The first digit counts most.
        let pairs = values &<< 4 | values &>> 8
        return UInt16(truncatingIfNeeded: (pairs & 0xff) &<< 8 | pairs &>> 16 & 0xff)
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
