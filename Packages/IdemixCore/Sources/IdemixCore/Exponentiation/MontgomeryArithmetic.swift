import CIdemixCoreGMP

/// Montgomery multiplication over plain pointers.
///
/// It counts no references: threads that work with one key would contend at every step of an exponentiation. The owner
/// of a value keeps the ``MontgomeryModulus`` alive.
@unsafe
struct MontgomeryArithmetic {
    /// The modulus n, in the form of the residues.
    let modulus: UnsafePointer<UInt>
    /// The number of words of a residue.
    let width: Int
    /// The number of digits of 52 bits in a residue, or 0 for residues in limbs.
    let digitCount: Int
    let negativeInverse: UInt

    /// result := a·b/R mod n.
    func multiply(
        _ result: UnsafeMutablePointer<UInt>,
        _ a: UnsafePointer<UInt>,
        _ b: UnsafePointer<UInt>,
        timing: Timing,
        scratch: UnsafeMutablePointer<UInt>
    ) {
        guard unsafe digitCount == 0 else {
            return unsafe idemix_multiply_digits(result, a, b, modulus, negativeInverse, digitCount)
        }
        if unsafe idemix_multiplies_eights(width) != 0 {
            unsafe idemix_multiply_eights(scratch, a, b, width)
        } else {
            switch timing {
            case .constant: unsafe __gmpn_sec_mul(scratch, a, width, b, width, scratch + 2 * width)
            case .variable: unsafe __gmpn_mul_n(scratch, a, b, width)
            }
        }
        unsafe idemix_montgomery_reduce(result, scratch, modulus, width, negativeInverse)
    }

    /// result := a²/R mod n.
    func square(
        _ result: UnsafeMutablePointer<UInt>,
        _ a: UnsafePointer<UInt>,
        timing: Timing,
        scratch: UnsafeMutablePointer<UInt>
    ) {
        guard unsafe digitCount == 0 else {
            return unsafe idemix_multiply_digits(result, a, a, modulus, negativeInverse, digitCount)
        }
        // GMP's squares take less time than a product in eights.
        switch timing {
        case .constant: unsafe __gmpn_sec_sqr(scratch, a, width, scratch + 2 * width)
        case .variable: unsafe __gmpn_sqr(scratch, a, width)
        }
        unsafe idemix_montgomery_reduce(result, scratch, modulus, width, negativeInverse)
    }

    /// result := the entry with an index of a row of residues, all of which is read.
    func select(
        _ result: UnsafeMutablePointer<UInt>,
        _ index: UInt,
        of row: UnsafePointer<UInt>,
        count: Int
    ) {
        if unsafe digitCount == 0 {
            unsafe idemix_select(result, row, width, count, index)
        } else {
            unsafe idemix_select_digits(result, row, digitCount, count, index)
        }
    }
}
