import CIdemixCoreGMP

/// Indicates that a computation's time and memory accesses may depend on its exponents.
enum Timing: Sendable {
    /// For exponents that are secret.
    case constant
    /// For public exponents; faster.
    case variable
}

/// An odd modulus with what Montgomery multiplication needs.
///
/// With k limbs and R = 2^(64k), a residue x is kept as x·R mod n, in k limbs but not always below n.
///
/// `@unchecked Sendable`: the buffers are filled during `init` and read-only afterwards.
@safe
final class MontgomeryModulus: @unchecked Sendable {
    /// The modulus n.
    let value: BigInteger
    /// The number of limbs, k.
    let width: Int
    private let modulus: LimbBuffer
    private let negativeInverse: UInt
    /// R mod n: the residue 1.
    let one: LimbBuffer
    /// R² mod n: takes a number to its residue in one multiplication.
    private let square: LimbBuffer
    /// R³ mod n: takes the reduction of a number of 2k limbs to its residue in one multiplication.
    private let cube: LimbBuffer

    /// Prepares an odd modulus above 1.
    init(_ n: BigInteger) {
        value = n
        width = (n.bitCount + 63) / 64
        modulus = LimbBuffer(n, count: width)
        one = LimbBuffer(BigInteger.powerOfTwo(64 * width).modulo(n), count: width)
        square = LimbBuffer(BigInteger.powerOfTwo(128 * width).modulo(n), count: width)
        cube = LimbBuffer(BigInteger.powerOfTwo(192 * width).modulo(n), count: width)
        let low = unsafe modulus.limbs[0]
        // Newton's iteration doubles the number of correct bits: 3, 6, 12, 24, 48, 96.
        var inverse = low
        for _ in 0..<5 { inverse = inverse &* (2 &- low &* inverse) }
        negativeInverse = 0 &- inverse
        withExtendedLifetime(modulus) {}
    }

    /// The modulus as plain pointers; valid as long as this object lives.
    var arithmetic: MontgomeryArithmetic {
        unsafe MontgomeryArithmetic(modulus: modulus.limbs, width: width, negativeInverse: negativeInverse)
    }

    /// The number of limbs of scratch space that the arithmetic needs.
    var scratchCount: Int {
        2 * width + max(Int(__gmpn_sec_mul_itch(width, width)), Int(__gmpn_sec_sqr_itch(width)))
    }

    /// The modulus as a row of limbs.
    var limbs: LimbBuffer { modulus }

    /// The residue of a number that is not negative; for up to k limbs, the time depends on the length only.
    func residue(of number: BigInteger) -> LimbBuffer {
        // Only received numbers can be longer or negative.
        let isReduced = !number.isNegative && number.bitCount <= 64 * width
        return product(LimbBuffer(isReduced ? number : number.modulo(value), count: width), square)
    }

    /// The residue of a number of at most 2k limbs, in a time that depends on k only.
    func residue(ofWide number: LimbBuffer) -> LimbBuffer {
        let wide = LimbBuffer(number, count: 2 * width)
        let reduced = LimbBuffer(count: width)
        unsafe arithmetic.reduce(reduced.limbs, wide.limbs)
        withExtendedLifetime(wide) {}
        return product(reduced, cube)
    }

    /// a·b/R mod n, for rows of k limbs; the result may exceed n.
    func product(_ a: LimbBuffer, _ b: LimbBuffer) -> LimbBuffer {
        let result = LimbBuffer(count: width)
        let scratch = LimbBuffer(count: scratchCount)
        unsafe arithmetic.multiply(result.limbs, a.limbs, b.limbs, timing: .constant, scratch: scratch.limbs)
        withExtendedLifetime((a, b, scratch)) {}
        return result
    }

    /// The number below n that a residue stands for, in k limbs.
    func reduced(_ residue: LimbBuffer) -> LimbBuffer {
        let wide = LimbBuffer(residue, count: 2 * width)
        let result = LimbBuffer(count: width)
        unsafe arithmetic.reduce(result.limbs, wide.limbs)
        // A number of k limbs divided by R is at most n afterwards.
        unsafe idemix_subtract_once(result.limbs, modulus.limbs, width)
        withExtendedLifetime(wide) {}
        return result
    }

    /// The number below n that a residue stands for.
    func number(of residue: LimbBuffer) -> BigInteger { reduced(residue).number }

    /// a·b mod n, in a time that does not depend on numbers of at most k limbs.
    func product(_ a: BigInteger, _ b: BigInteger) -> BigInteger {
        number(of: product(residue(of: a), residue(of: b)))
    }
}
