/// The canonical lexical form of `xsd:double` (JSON-LD 1.1 API, section 8.2.2): as `%1.15E` writes it, without zeros at
/// the end of the fraction and without a plus sign or zeros in the exponent.
enum CanonicalDouble {
    /// The number of digits that are kept.
    private static let precision = 16

    /// The form of a finite number, such as `5.3E0`.
    static func text(of value: Double) -> String {
        let sign = value.sign == .minus ? "-" : ""
        guard !value.isZero else { return sign + "0.0E0" }
        var (digits, exponent) = decimal(of: value.magnitude)
        if digits.count > precision { exponent += round(&digits) }
        while digits.count > 1, digits.last == 0 { digits.removeLast() }
        let text = digits.map { String($0) }
        let fraction = text.count > 1 ? text.dropFirst().joined() : "0"
        return "\(sign)\(text[0]).\(fraction)E\(exponent)"
    }

    /// All digits of a number, the first not zero, and the power of ten of the first.
    private static func decimal(of value: Double) -> (digits: [UInt8], exponent: Int) {
        // value = significand · 2^power, with an integer significand.
        let significand = value.significandBitPattern | (value.isNormal ? 1 << 52 : 0)
        let power = Int(max(value.exponentBitPattern, 1)) - 1075
        var number = BigDecimal(significand)
        number.multiply(by: power > 0 ? 2 : 5, times: abs(power))
        let digits = number.digits
        // A negative power was taken as 5^n / 10^n.
        return (digits, digits.count - 1 + min(power, 0))
    }

    /// Rounds to the precision, ties to even, and returns what that adds to the exponent.
    private static func round(_ digits: inout [UInt8]) -> Int {
        let rest = digits[precision...]
        let last = digits[precision - 1]
        let isTie = rest.first == 5 && rest.dropFirst().allSatisfy { $0 == 0 }
        let roundsUp = isTie ? last % 2 == 1 : (rest.first ?? 0) >= 5
        digits.removeSubrange(precision...)
        guard roundsUp else { return 0 }
        var index = precision - 1
        while digits[index] == 9 {
            digits[index] = 0
            guard index > 0 else {
                digits = [1]
                return 1
            }
            index -= 1
        }
        digits[index] += 1
        return 0
    }
}

/// A natural number in limbs of nine decimal digits, the least first.
private struct BigDecimal {
    private static let base: UInt64 = 1_000_000_000
    private var limbs: [UInt64] = []

    init(_ value: UInt64) {
        var rest = value
        repeat {
            limbs.append(rest % Self.base)
            rest /= Self.base
        } while rest > 0
    }

    /// Multiplies by a power of 2 or 5, in steps whose factors are less than a limb.
    mutating func multiply(by factor: UInt64, times: Int) {
        var rest = times
        while rest > 0 {
            let step = min(rest, 12)
            multiply(by: (0..<step).reduce(1) { power, _ in power * factor })
            rest -= step
        }
    }

    private mutating func multiply(by factor: UInt64) {
        var carry: UInt64 = 0
        for index in limbs.indices {
            let product = limbs[index] * factor + carry
            limbs[index] = product % Self.base
            carry = product / Self.base
        }
        if carry > 0 { limbs.append(carry) }
    }

    /// The digits, the first of which is not zero.
    var digits: [UInt8] {
        var digits: [UInt8] = []
        for limb in limbs {
            var rest = limb
            for _ in 0..<9 {
                digits.append(UInt8(rest % 10))
                rest /= 10
            }
        }
        while digits.count > 1, digits.last == 0 { digits.removeLast() }
        return digits.reversed()
    }
}
