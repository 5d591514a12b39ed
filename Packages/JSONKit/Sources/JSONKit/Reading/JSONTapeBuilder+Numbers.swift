extension JSONTapeBuilder {
    /// The offset after the number that starts at `start` (RFC 8259, section 6), and whether it has neither fraction
    /// nor exponent.
    @inline(__always)
    func endOfNumber(_ text: Span<UInt8>, from start: Int) throws(JSONFailure) -> (end: Int, isInteger: Bool) {
        let first = text.byte(at: start) == UInt8(ascii: "-") ? start &+ 1 : start
        let end = Self.endOfDigits(text, from: first)
        let startsWithZero = text.byte(at: first) == UInt8(ascii: "0")
        let hasMore = text.byte(at: end) == UInt8(ascii: ".") || text.byte(at: end) | 0x20 == UInt8(ascii: "e")
        if end > first, !startsWithZero, !hasMore, end &- start <= limits.numberLength { return (end, true) }
        return try Self.endOfUnusualNumber(text, from: start, limits.numberLength)
    }

    /// The end of any number.
    private static func endOfUnusualNumber(
        _ text: Span<UInt8>,
        from start: Int,
        _ limit: Int
    ) throws(JSONFailure) -> (end: Int, isInteger: Bool) {
        let first = text.byte(at: start) == UInt8(ascii: "-") ? start + 1 : start
        var offset = try requireDigits(text, from: first, number: start)
        if text.byte(at: first) == UInt8(ascii: "0"), offset > first + 1 {
            throw JSONFailure(code: .invalidNumber, offset: start)
        }
        var isInteger = true
        if text.byte(at: offset) == UInt8(ascii: ".") {
            isInteger = false
            offset = try requireDigits(text, from: offset + 1, number: start)
        }
        if text.byte(at: offset) | 0x20 == UInt8(ascii: "e") {
            isInteger = false
            let sign = text.byte(at: offset + 1)
            let hasSign = sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-")
            offset = try requireDigits(text, from: offset + (hasSign ? 2 : 1), number: start)
        }
        guard offset - start <= limit else { throw JSONFailure(code: .numberLimit, offset: start) }
        return (offset, isInteger)
    }

    /// The offset after one or more digits.
    private static func requireDigits(_ text: Span<UInt8>, from start: Int, number: Int) throws(JSONFailure) -> Int {
        let end = endOfDigits(text, from: start)
        guard end > start else {
            throw JSONFailure(code: start < text.count ? .invalidNumber : .truncated, offset: number)
        }
        return end
    }

    /// The offset of the first byte that is no digit.
    @inline(__always)
    private static func endOfDigits(_ text: Span<UInt8>, from start: Int) -> Int {
        var offset = start
        while text.byte(at: offset) &- UInt8(ascii: "0") < 10 { offset &+= 1 }
        return offset
    }
}
