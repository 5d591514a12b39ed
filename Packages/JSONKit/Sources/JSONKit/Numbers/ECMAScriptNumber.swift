/// The text of numbers as ECMAScript writes them: `Number::toString` with radix 10 (ECMA-262), which RFC 8785,
/// section 3.2.2.3, takes over.
enum ECMAScriptNumber {
    /// The text of a finite number; negative zero becomes `0`.
    ///
    /// ECMAScript takes the fewest digits that read back as the same number, and of those the nearest to it. So does
    /// the standard library in `description`; only their arrangement differs.
    static func text(of value: some JSONFloatingPoint) -> String {
        guard !value.isZero else { return "0" }
        let description = value.magnitude.description
        let (digits, pointPosition) = description.withSpan { text in
            let decimal = JSONDecimal(text)
            var digits: [UInt8] = []
            decimal.forEachDigit(of: text) { digits.append($0 + UInt8(ascii: "0")) }
            return (digits, decimal.pointPosition)
        }
        return (value < 0 ? "-" : "") + arrange(digits, pointPosition: pointPosition)
    }

    /// Writes the number 0.d₁d₂…dₖ × 10ⁿ, with the point among the digits or, far from them, with an exponent.
    private static func arrange(_ digits: [UInt8], pointPosition n: Int) -> String {
        let k = digits.count
        let all = string(digits[...])
        switch n {
        case k...21 where k <= 21: return all + zeros(n - k)
        case 1...21: return "\(string(digits[..<n])).\(string(digits[n...]))"
        case -5...0: return "0.\(zeros(-n))\(all)"
        default:
            let fraction = k > 1 ? ".\(string(digits[1...]))" : ""
            return "\(string(digits[..<1]))\(fraction)e\(n > 0 ? "+" : "-")\(abs(n - 1))"
        }
    }

    private static func string(_ digits: ArraySlice<UInt8>) -> String {
        String(decoding: digits, as: UTF8.self)
    }

    private static func zeros(_ count: Int) -> String {
        String(repeating: "0", count: count)
    }
}
