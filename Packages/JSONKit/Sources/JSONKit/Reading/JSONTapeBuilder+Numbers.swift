extension JSONTapeBuilder {
    /// The number of digits of an integer that starts at an offset, and that a comma or the end of a container follows; 0 for
    /// anything else, and one that is long or at the end of the text.
    @inline(__always)
    static func countOfDigits(_ text: Span<UInt8>, ofShortIntegerAt start: Int) -> Int {
        guard start &+ 8 <= text.count else { return 0 }
        let word = text.word(at: start)
        let count = JSONWord.countOfDigits(word)
        let next = UInt8(truncatingIfNeeded: word >> UInt64(truncatingIfNeeded: 8 &* count))
        // Brackets and braces differ in one bit.
        let isLast = next == UInt8(ascii: ",") || next | 0x20 == UInt8(ascii: "}")
        let hasLeadingZero = count > 1 && UInt8(truncatingIfNeeded: word) == UInt8(ascii: "0")
        return isLast && !hasLeadingZero ? count : 0
    }

    /// The offset after the number that starts at `start` (RFC 8259, section 6), and whether it has neither fraction
    /// nor exponent.
    @inline(__always)
    static func endOfNumber(
        _ text: Span<UInt8>,
        from start: Int,
        _ limit: Int
    ) throws(JSONFailure) -> (end: Int, isInteger: Bool) {
        let first = text.byte(at: start) == UInt8(ascii: "-") ? start &+ 1 : start
        let pointOrEnd = endOfDigits(text, from: first)
        let isInteger = text.byte(at: pointOrEnd) != UInt8(ascii: ".")
        let end = isInteger ? pointOrEnd : endOfDigits(text, from: pointOrEnd &+ 1)
        // No leading zero, no exponent, and at least one digit before the point and after it.
        if text.byte(at: first) != UInt8(ascii: "0") || pointOrEnd == first &+ 1,
            text.byte(at: end) | 0x20 != UInt8(ascii: "e"),
            pointOrEnd > first, isInteger || end > pointOrEnd &+ 1, end &- start <= limit
        {
            return (end, isInteger)
        }
        return try endOfUnusualNumber(text, from: start, digits: first..<pointOrEnd, limit)
    }

    /// The end of any number whose first digits are known.
    private static func endOfUnusualNumber(
        _ text: Span<UInt8>,
        from start: Int,
        digits: Range<Int>,
        _ limit: Int
    ) throws(JSONFailure) -> (end: Int, isInteger: Bool) {
        var offset = try requireDigits(text, digits, number: start)
        if text.byte(at: digits.lowerBound) == UInt8(ascii: "0"), digits.count > 1 {
            throw JSONFailure(code: .invalidNumber, offset: start)
        }
        var isInteger = true
        if text.byte(at: offset) == UInt8(ascii: ".") {
            isInteger = false
            offset = try requireDigits(text, offset + 1..<endOfDigits(text, from: offset + 1), number: start)
        }
        if text.byte(at: offset) | 0x20 == UInt8(ascii: "e") {
            isInteger = false
            let sign = text.byte(at: offset + 1)
            let first = sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") ? offset + 2 : offset + 1
            offset = try requireDigits(text, first..<endOfDigits(text, from: first), number: start)
        }
        guard offset - start <= limit else { throw JSONFailure(code: .numberLimit, offset: start) }
        return (offset, isInteger)
    }

    /// The offset after digits, of which there must be at least one.
    private static func requireDigits(
        _ text: Span<UInt8>,
        _ digits: Range<Int>,
        number: Int
    ) throws(JSONFailure) -> Int {
        guard !digits.isEmpty else {
            throw JSONFailure(code: digits.lowerBound < text.count ? .invalidNumber : .truncated, offset: number)
        }
        return digits.upperBound
    }

    /// The offset of the first byte that is no digit.
    @inline(__always)
    private static func endOfDigits(_ text: Span<UInt8>, from start: Int) -> Int {
        var offset = start
        while offset &+ 8 <= text.count {
            let count = JSONWord.countOfDigits(text.word(at: offset))
            offset &+= count
            if count < 8 { return offset }
        }
        while text.byte(at: offset) &- UInt8(ascii: "0") < 10 { offset &+= 1 }
        return offset
    }
}
