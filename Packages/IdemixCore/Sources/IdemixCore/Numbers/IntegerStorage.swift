import CIdemixCoreGMP

/// Where one of GMP's numbers is written to.
typealias NumberOutput = UnsafeMutablePointer<__mpz_struct>?
/// Where one of GMP's numbers is read from.
typealias NumberInput = UnsafePointer<__mpz_struct>?

/// The memory behind ``BigInteger``: a number of GMP's at a place that does not move, wiped before it is freed.
///
/// A number is computed once, into memory that has held nothing before; so no stale copy of a secret stays behind when
/// GMP makes the memory larger.
///
/// `@unchecked Sendable`: the number is written during `init` only and read-only afterwards.
@safe
final class IntegerStorage: @unchecked Sendable {
    private let number: UnsafeMutablePointer<__mpz_struct>

    init(_ compute: (NumberOutput) -> Void) {
        unsafe number = .allocate(capacity: 1)
        unsafe __gmpz_init(number)
        unsafe compute(number)
    }

    deinit {
        unsafe idemix_mpz_wipe_and_clear(number)
        unsafe number.deallocate()
    }

    /// Lends the number to a closure.
    func withNumber<Result>(_ body: (NumberInput) throws -> Result) rethrows -> Result {
        defer { withExtendedLifetime(self) {} }
        return try unsafe body(UnsafePointer(number))
    }
}
