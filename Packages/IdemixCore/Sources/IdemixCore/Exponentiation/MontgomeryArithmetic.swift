import CIdemixCoreGMP

/// Montgomery multiplication over plain pointers.
///
/// It counts no references: threads that work with one key would contend at every step of an exponentiation. The owner
/// of a value keeps the ``MontgomeryModulus`` alive.
@unsafe
struct MontgomeryArithmetic {
    let modulus: UnsafePointer<UInt>
    let width: Int
    let negativeInverse: UInt

    /// result := a·b/R mod n.
    func multiply(
        _ result: UnsafeMutablePointer<UInt>,
        _ a: UnsafePointer<UInt>,
        _ b: UnsafePointer<UInt>,
        timing: Timing,
        scratch: UnsafeMutablePointer<UInt>
    ) {
        switch timing {
        case .constant: unsafe __gmpn_sec_mul(scratch, a, width, b, width, scratch + 2 * width)
        case .variable: unsafe __gmpn_mul_n(scratch, a, b, width)
        }
        unsafe reduce(result, scratch)
    }

    /// result := a²/R mod n.
    func square(
        _ result: UnsafeMutablePointer<UInt>,
        _ a: UnsafePointer<UInt>,
        timing: Timing,
        scratch: UnsafeMutablePointer<UInt>
    ) {
        switch timing {
        case .constant: unsafe __gmpn_sec_sqr(scratch, a, width, scratch + 2 * width)
        case .variable: unsafe __gmpn_sqr(scratch, a, width)
        }
        unsafe reduce(result, scratch)
    }

    /// result := product/R mod n; the product of 2·width limbs is destroyed.
    func reduce(_ result: UnsafeMutablePointer<UInt>, _ product: UnsafeMutablePointer<UInt>) {
        unsafe idemix_montgomery_reduce(result, product, modulus, width, negativeInverse)
    }
}
