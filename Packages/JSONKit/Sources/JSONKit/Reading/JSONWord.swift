/// Tests on the bytes of strings, singly and eight at a time.
enum JSONWord {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// Marks, in its high bit, the lowest byte of a word that is a quote, a backslash, below 0x20 or above 0x7F; marks
    /// above the lowest one mean nothing, and no mark means that there is no such byte.
    @inline(__always)
    static func specialBytes(of word: UInt64) -> UInt64 {
        // Subtracting n from a byte below 0x80 sets its high bit if the byte is less than n; a borrow only comes from a
        // byte that is marked itself.
        let quotes = (word ^ ones &* UInt64(UInt8(ascii: "\""))) &- ones
        let backslashes = (word ^ ones &* UInt64(UInt8(ascii: "\\"))) &- ones
        let controls = word &- ones &* 0x20
        return (quotes | backslashes | controls | word) & highBits
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
