import CIdemixCoreGMP

/// Indicates that a computation's time and memory accesses may depend on its exponents.
package enum Timing: Sendable {
    /// For exponents that are secret.
    case constant
    /// For public exponents; faster.
    case variable
}

/// An odd modulus with what Montgomery multiplication needs.
///
/// A residue x is kept as x·R mod n, not always below n, in one of two forms: in as many limbs as the modulus has, k, with
/// R = 2^(64k), or in d digits of 52 bits with R = 2^(52d), where the processor has vector instructions for them.
///
/// `@unchecked Sendable`: the buffers are filled during `init` and read-only afterwards.
@safe
package final class MontgomeryModulus: @unchecked Sendable {
    /// The modulus n.
    package let value: BigInteger
    /// The number of limbs of the modulus, k.
    let limbCount: Int
    /// The number of digits of a residue, or 0 for residues in limbs.
    let digitCount: Int
    /// The number of words of a residue.
    let width: Int
    /// The modulus as a row of limbs.
    let limbs: LimbBuffer
    /// The modulus in the form of the residues.
    private let modulus: LimbBuffer
    private let negativeInverse: UInt
    /// R mod n: the residue 1.
    let one: LimbBuffer
    /// R² mod n: takes a number to its residue in one multiplication.
    private let square: LimbBuffer
    /// R²·2^(64k) mod n: takes the reduction of a number of 2k limbs to its residue in one multiplication.
    private let wideSquare: LimbBuffer

    /// Prepares an odd modulus above 1.
    ///
    /// - Parameter usesDigits: False for residues in limbs also where the processor has the instructions for digits.
    package init(_ n: BigInteger, usesDigits: Bool = true) {
        value = n
        let limbCount = (n.bitCount + 63) / 64
        // 4n < R, so that products stay below 2n.
        let digits = (64 * limbCount + 2 + 51) / 52
        let digitCount = usesDigits && idemix_multiplies_digits(digits) != 0 ? digits : 0
        let width = digitCount == 0 ? limbCount : (digits + 7) / 8 * 8
        func row(_ number: BigInteger) -> LimbBuffer {
            Self.row(LimbBuffer(number, count: limbCount), isInDigits: digitCount > 0, width: width)
        }
        let R = BigInteger.powerOfTwo(digitCount == 0 ? 64 * limbCount : 52 * digitCount)
        limbs = LimbBuffer(n, count: limbCount)
        modulus = row(n)
        one = row(R.modulo(n))
        square = row((R * R).modulo(n))
        wideSquare = row((R * R).shiftedLeft(by: 64 * limbCount).modulo(n))
        let low = unsafe limbs.limbs[0]
        // Newton's iteration doubles the number of correct bits: 3, 6, 12, 24, 48, 96.
        var inverse = low
        for _ in 0..<5 { inverse = inverse &* (2 &- low &* inverse) }
        negativeInverse = 0 &- inverse
        (self.limbCount, self.digitCount, self.width) = (limbCount, digitCount, width)
        withExtendedLifetime(limbs) {}
    }

    /// A number in k limbs, in the form of the residues.
    private static func row(_ limbs: LimbBuffer, isInDigits: Bool, width: Int) -> LimbBuffer {
        guard isInDigits else { return limbs }
        let row = LimbBuffer(count: width)
        unsafe idemix_digits_from_limbs(row.limbs, width, limbs.limbs, limbs.count)
        withExtendedLifetime(limbs) {}
        return row
    }

    /// A number in k limbs, in the form of the residues.
    func row(_ limbs: LimbBuffer) -> LimbBuffer {
        Self.row(limbs, isInDigits: digitCount > 0, width: width)
    }

    /// The modulus as plain pointers; valid as long as this object lives.
    var arithmetic: MontgomeryArithmetic {
        unsafe MontgomeryArithmetic(
            modulus: modulus.limbs,
            width: width,
            digitCount: digitCount,
            negativeInverse: negativeInverse
        )
    }

    /// The number of limbs of scratch space that the arithmetic needs.
    var scratchCount: Int {
        guard digitCount == 0 else { return 1 }
        return 2 * width + max(Int(__gmpn_sec_mul_itch(width, width)), Int(__gmpn_sec_sqr_itch(width)))
    }

    /// The residue of a number that is not negative; for up to k limbs, the time depends on the length only.
    package func residue(of number: BigInteger) -> LimbBuffer {
        // Only received numbers can be longer or negative.
        let isReduced = !number.isNegative && number.bitCount <= 64 * limbCount
        return product(row(LimbBuffer(isReduced ? number : number.modulo(value), count: limbCount)), square)
    }

    /// The residue of a number of at most 2k limbs, in a time that depends on k only.
    func residue(ofWide number: LimbBuffer) -> LimbBuffer {
        product(row(quotient(of: LimbBuffer(number, count: 2 * limbCount))), wideSquare)
    }

    /// x·2^(−64k) mod n for a number x of 2k limbs, which is overwritten; the result has k limbs and may exceed n.
    private func quotient(of wide: LimbBuffer) -> LimbBuffer {
        let result = LimbBuffer(count: limbCount)
        unsafe idemix_montgomery_reduce(result.limbs, wide.limbs, limbs.limbs, limbCount, negativeInverse)
        withExtendedLifetime((wide, limbs)) {}
        return result
    }

    /// The residue of a product, for two residues; it may exceed n.
    package func product(_ a: LimbBuffer, _ b: LimbBuffer) -> LimbBuffer {
        let result = LimbBuffer(count: width)
        let scratch = LimbBuffer(count: scratchCount)
        unsafe arithmetic.multiply(result.limbs, a.limbs, b.limbs, timing: .constant, scratch: scratch.limbs)
        withExtendedLifetime((a, b, scratch)) {}
        return result
    }

    /// The number below n that a residue stands for, in k limbs.
    func reduced(_ residue: LimbBuffer) -> LimbBuffer {
        let result: LimbBuffer
        if digitCount == 0 {
            result = quotient(of: LimbBuffer(residue, count: 2 * limbCount))
        } else {
            let digits = product(residue, row(LimbBuffer(.one, count: 1)))
            result = LimbBuffer(count: limbCount)
            unsafe idemix_limbs_from_digits(result.limbs, limbCount, digits.limbs, width)
            withExtendedLifetime(digits) {}
        }
        // A residue divided by R is at most n.
        unsafe idemix_subtract_once(result.limbs, limbs.limbs, limbCount)
        return result
    }

    /// The number below n that a residue stands for.
    package func number(of residue: LimbBuffer) -> BigInteger { reduced(residue).number }

    /// a·b mod n, in a time that does not depend on numbers of at most k limbs.
    func product(_ a: BigInteger, _ b: BigInteger) -> BigInteger {
        number(of: product(residue(of: a), residue(of: b)))
    }
}
