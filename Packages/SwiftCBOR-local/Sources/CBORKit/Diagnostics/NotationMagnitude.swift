/// A non-negative integer of any size, for turning digits into bytes and back.
struct NotationMagnitude {
    /// The digits to the base 2^32, the lowest first, none of them a zero at the end.
    private var limbs: [UInt32] = []

    /// Zero.
    init() {}

    /// The number with these big-endian bytes.
    init(bytes: some Sequence<UInt8>) {
        for byte in bytes { multiply(by: 256, adding: UInt32(byte)) }
    }

    /// Indicates that the number is 0.
    var isZero: Bool { limbs.isEmpty }

    /// Replaces the number by its product with a factor plus a summand.
    mutating func multiply(by factor: UInt32, adding summand: UInt32) {
        var carry = UInt64(summand)
        for index in limbs.indices {
            carry += UInt64(limbs[index]) * UInt64(factor)
            limbs[index] = UInt32(truncatingIfNeeded: carry)
            carry >>= 32
        }
        if carry != 0 { limbs.append(UInt32(truncatingIfNeeded: carry)) }
    }

    /// Takes 1 away; 0 stays.
    mutating func decrement() {
        for index in limbs.indices {
            let (difference, borrows) = limbs[index].subtractingReportingOverflow(1)
            limbs[index] = difference
            if !borrows { break }
        }
        if limbs.last == 0 { limbs.removeLast() }
    }

    /// The big-endian bytes.
    var bytes: [UInt8] {
        limbs.reversed().flatMap { limb in
            (0..<4).map { UInt8(truncatingIfNeeded: limb >> UInt32(24 - 8 * $0)) }
        }
    }

    /// The decimal digits.
    var decimal: String {
        var rest = self
        var digits: [UInt8] = []
        while !rest.isZero {
            let part = rest.divide(by: 1_000_000_000)
            let text = String(part)
            digits += text.utf8.reversed()
            if !rest.isZero { digits += [UInt8](repeating: UInt8(ascii: "0"), count: 9 - text.utf8.count) }
        }
        return digits.isEmpty ? "0" : String(decoding: digits.reversed(), as: UTF8.self)
    }

    /// Replaces the number by its quotient and returns the remainder.
    private mutating func divide(by divisor: UInt32) -> UInt32 {
        var remainder: UInt64 = 0
        for index in limbs.indices.reversed() {
            let part = remainder << 32 | UInt64(limbs[index])
            limbs[index] = UInt32(truncatingIfNeeded: part / UInt64(divisor))
            remainder = part % UInt64(divisor)
        }
        while limbs.last == 0 { limbs.removeLast() }
        return UInt32(truncatingIfNeeded: remainder)
    }
}
