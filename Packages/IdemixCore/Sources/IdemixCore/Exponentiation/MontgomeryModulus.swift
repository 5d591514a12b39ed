import CIdemixCoreGMP

/// Whether a computation's time and memory accesses may depend on its exponents.
enum Timing: Sendable {
    /// For exponents that are secret.
    case constant
    /// For exponents that everybody may know; faster.
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

    /// Prepares an odd modulus above 1.
    init(_ n: BigInteger) {
        value = n
        width = (n.bitCount + 63) / 64
        modulus = LimbBuffer(n, count: width)
        one = LimbBuffer(BigInteger.powerOfTwo(64 * width).modulo(n), count: width)
        square = LimbBuffer(BigInteger.powerOfTwo(128 * width).modulo(n), count: width)
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

    /// How many limbs of scratch space the arithmetic needs.
    var scratchCount: Int {
        2 * width + max(Int(__gmpn_sec_mul_itch(width, width)), Int(__gmpn_sec_sqr_itch(width)))
    }

    /// The residue of a number.
    func residue(of number: BigInteger) -> LimbBuffer {
        let result = LimbBuffer(number.modulo(value), count: width)
        let scratch = LimbBuffer(count: scratchCount)
        unsafe arithmetic.multiply(
            result.limbs,
            result.limbs,
            square.limbs,
            timing: .constant,
            scratch: scratch.limbs
        )
        withExtendedLifetime((result, square, scratch)) {}
        return result
    }

    /// The number below n that a residue stands for.
    func number(of residue: LimbBuffer) -> BigInteger {
        let wide = LimbBuffer(count: 2 * width)
        let result = LimbBuffer(count: width)
        unsafe wide.limbs.update(from: residue.limbs, count: width)
        unsafe arithmetic.reduce(result.limbs, wide.limbs)
        return unsafe LimbBuffer.number(result.limbs, count: width).modulo(value)
    }

    /// a·b mod n.
    func product(_ a: BigInteger, _ b: BigInteger) -> BigInteger {
        (a * b).modulo(value)
    }
}
