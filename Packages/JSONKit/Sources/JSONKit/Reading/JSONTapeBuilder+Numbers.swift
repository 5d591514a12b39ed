extension JSONTapeBuilder {
    /// The offset after the number that starts at `start` (RFC 8259, section 6), and whether it has neither fraction
    /// nor exponent.
    @inline(__always)
    func endOfNumber(_ text: Span<UInt8>, from start: Int) throws(JSONFailure) -> (end: Int, isInteger: Bool) {
        var offset = start
        if text.byte(at: offset) == UInt8(ascii: "-") { offset += 1 }
        if text.byte(at: offset) == UInt8(ascii: "0") {
            offset += 1
            if isDigit(text.byte(at: offset)) { throw JSONFailure(code: .invalidNumber, offset: start) }
        } else {
            offset = try endOfDigits(text, from: offset, number: start)
        }
        var isInteger = true
        if text.byte(at: offset) == UInt8(ascii: ".") {
            isInteger = false
            offset = try endOfDigits(text, from: offset + 1, number: start)
        }
        if text.byte(at: offset) | 0x20 == UInt8(ascii: "e") {
            isInteger = false
            let sign = text.byte(at: offset + 1)
            let hasSign = sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-")
            offset = try endOfDigits(text, from: offset + (hasSign ? 2 : 1), number: start)
        }
        guard offset - start <= limits.numberLength else { throw JSONFailure(code: .numberLimit, offset: start) }
        return (offset, isInteger)
    }

    /// The offset after one or more digits.
    @inline(__always)
    private func endOfDigits(_ text: Span<UInt8>, from start: Int, number: Int) throws(JSONFailure) -> Int {
        var offset = start
        while isDigit(text.byte(at: offset)) { offset += 1 }
        guard offset > start else {
            throw JSONFailure(code: start < text.count ? .invalidNumber : .truncated, offset: number)
        }
        return offset
    }

    @inline(__always)
    private func isDigit(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10
    }
}
