/// The range of a JSON number's significant digits, and their value: 0.d₁d₂…dₙ × 10^`pointPosition`.
struct JSONDecimal {
    /// From the first digit that is not zero to the last one; the decimal point may be among them.
    let digits: Range<Int>
    /// The number of digits; none for zero.
    let digitCount: Int
    let pointPosition: Int
    let isNegative: Bool
    /// Indicates that the number has neither fraction nor exponent.
    let isPlain: Bool

    /// Exponents beyond this are taken for this: more than any number type can hold, and still safe to add to.
    static let mostExponent = 1 << 40

    /// Takes apart a text that is known to be a number.
    init(_ text: Span<UInt8>) {
        isNegative = text.byte(at: 0) == UInt8(ascii: "-")
        var point: Int?
        var first: Int?
        var last = 0
        var offset = isNegative ? 1 : 0
        while offset < text.count, text[offset] | 0x20 != UInt8(ascii: "e") {
            switch text[offset] {
            case UInt8(ascii: "."): point = offset
            case UInt8(ascii: "0"): break
            default:
                first = first ?? offset
                last = offset
            }
            offset += 1
        }
        isPlain = point == nil && offset == text.count
        let pointOffset = point ?? offset
        guard let first else {
            (digits, digitCount, pointPosition) = (0..<0, 0, 0)
            return
        }
        digits = first..<last + 1
        digitCount = digits.count - (digits.contains(pointOffset) ? 1 : 0)
        pointPosition =
            (first < pointOffset ? pointOffset - first : pointOffset + 1 - first)
            + Self.exponent(text, from: offset + 1)
    }

    private static func exponent(_ text: Span<UInt8>, from start: Int) -> Int {
        var exponent = 0
        var offset = start
        let isNegative = text.byte(at: start) == UInt8(ascii: "-")
        if isNegative || text.byte(at: start) == UInt8(ascii: "+") { offset += 1 }
        while offset < text.count {
            exponent = min(exponent * 10 + Int(text[offset] - UInt8(ascii: "0")), mostExponent)
            offset += 1
        }
        return isNegative ? -exponent : exponent
    }

    /// Calls a closure with each significant digit in turn.
    @inline(__always)
    func forEachDigit<Failure>(
        of text: Span<UInt8>,
        _ body: (UInt8) throws(Failure) -> Void
    ) throws(Failure) {
        for offset in digits where text[offset] != UInt8(ascii: ".") {
            try body(text[offset] - UInt8(ascii: "0"))
        }
    }

    /// The integer that a text says.
    static func integer<Integer: FixedWidthInteger>(of text: Span<UInt8>) -> Result<Integer, JSONNumberFailure> {
        do throws(JSONNumberFailure) {
            return .success(try JSONDecimal(text).integer(of: text))
        } catch {
            return .failure(error)
        }
    }

    private func integer<Integer: FixedWidthInteger>(of text: Span<UInt8>) throws(JSONNumberFailure) -> Integer {
        guard digitCount > 0 else { return 0 }
        guard pointPosition >= digitCount else { throw .notExact }
        var value: Integer = 0
        try forEachDigit(of: text) { digit throws(JSONNumberFailure) in value = try appending(digit, to: value) }
        // The value is not zero: it leaves the type's range after a few steps, however many there are.
        for _ in digitCount..<pointPosition { value = try appending(0, to: value) }
        return value
    }

    @inline(__always)
    private func appending<Integer: FixedWidthInteger>(
        _ digit: UInt8,
        to value: Integer
    ) throws(JSONNumberFailure) -> Integer {
        let (product, productOverflows) = value.multipliedReportingOverflow(by: 10)
        let last = Integer(truncatingIfNeeded: digit)
        let (result, resultOverflows) =
            isNegative ? product.subtractingReportingOverflow(last) : product.addingReportingOverflow(last)
        if productOverflows || resultOverflows { throw .outOfRange }
        return result
    }

    /// The nearest `Double`, where digits and power of ten are so small that one operation gives it; nil elsewhere.
    ///
    /// Both are then exact as a `Double`, and the operation rounds once (W. Clinger, "How to Read Floating Point
    /// Numbers Accurately", 1990).
    func smallDouble(of text: Span<UInt8>) -> Double? {
        let exponent = pointPosition - digitCount
        guard digitCount <= 15, -22...22 ~= exponent else { return nil }
        var integer: UInt64 = 0
        forEachDigit(of: text) { digit in integer = integer * 10 + UInt64(digit) }
        let magnitude =
            exponent < 0 ? Double(integer) / Self.powersOfTen[-exponent] : Double(integer) * Self.powersOfTen[exponent]
        return isNegative ? -magnitude : magnitude
    }

    private static let powersOfTen: [Double] = (0...22).map { (0..<$0).reduce(1) { power, _ in power * 10 } }

    /// Returns `true` if two numbers mean the same.
    func matches(_ other: JSONDecimal, _ text: Span<UInt8>, _ otherText: Span<UInt8>) -> Bool {
        if digitCount == 0 || other.digitCount == 0 { return digitCount == other.digitCount }
        guard isNegative == other.isNegative, digitCount == other.digitCount, pointPosition == other.pointPosition,
            abs(pointPosition) < Self.mostExponent / 2
        else { return false }
        var index = other.digits.lowerBound
        for offset in digits where text[offset] != UInt8(ascii: ".") {
            if otherText[index] == UInt8(ascii: ".") { index += 1 }
            if text[offset] != otherText[index] { return false }
            index += 1
        }
        return true
    }
}
