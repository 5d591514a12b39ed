import CIdemixCoreGMP

/// The destination of a number of GMP.
typealias NumberOutput = UnsafeMutablePointer<__mpz_struct>?
/// The source of a number of GMP.
typealias NumberInput = UnsafePointer<__mpz_struct>?

/// The memory behind ``BigInteger``: a number of GMP's at a place that does not move, wiped before it is freed.
///
/// A number is computed once, into fresh memory. GMP's other allocations are wiped too: the first number of a process
/// replaces GMP's memory functions by ones that overwrite what they free.
///
/// `@unchecked Sendable`: the number is written during `init` only and read-only afterwards.
@safe
final class IntegerStorage: @unchecked Sendable {
    private let number: UnsafeMutablePointer<__mpz_struct>

    private static let wipesMemory: Void = idemix_install_wiping_memory_functions()

    init(_ compute: (NumberOutput) -> Void) {
        _ = Self.wipesMemory
        unsafe number = .allocate(capacity: 1)
        unsafe __gmpz_init(number)
        unsafe compute(number)
    }

    deinit {
        unsafe __gmpz_clear(number)
        unsafe number.deallocate()
    }

    /// Lends the number to a closure.
    func withNumber<Result>(_ body: (NumberInput) throws -> Result) rethrows -> Result {
        defer { withExtendedLifetime(self) {} }
        return try unsafe body(UnsafePointer(number))
    }
}

/// The stack space that a function of GMP uses for its smaller temporaries.
enum StackUse: Int {
    /// Divisions.
    case little = 8_192
    /// Exponentiations, inversions, tests of primality, conversions to and from decimal.
    case much = 65_536

    /// Overwrites the stack below the caller.
    func wipe() { idemix_wipe_stack(rawValue) }
}
