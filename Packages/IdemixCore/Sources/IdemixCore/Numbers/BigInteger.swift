import CIdemixCoreGMP

/// An integer of any size.
///
/// Its memory is wiped when the last copy goes away. It has no textual description, since it may be a secret; what is
/// public can be written as ``decimal``.
public struct BigInteger: Sendable {
    let storage: IntegerStorage

    /// A number that one of GMP's functions computes.
    init(_ compute: (NumberOutput) -> Void) {
        storage = unsafe IntegerStorage(compute)
    }

    /// The value of a machine integer.
    public init(_ value: Int) {
        unsafe self.init { unsafe __gmpz_set_si($0, value) }
    }

    /// The number zero.
    public static let zero = BigInteger(0)

    /// The number one.
    public static let one = BigInteger(1)

    /// 2 to the given power; a negative exponent counts as zero.
    public static func powerOfTwo(_ exponent: Int) -> BigInteger {
        unsafe BigInteger { unsafe __gmpz_setbit($0, UInt(max(0, exponent))) }
    }

    /// A function of one number.
    static func computing(
        _ value: BigInteger,
        _ body: (NumberOutput, NumberInput) -> Void
    ) -> BigInteger {
        unsafe value.storage.withNumber { value in unsafe BigInteger { unsafe body($0, value) } }
    }

    /// A function of two numbers.
    static func computing(
        _ left: BigInteger,
        _ right: BigInteger,
        _ body: (NumberOutput, NumberInput, NumberInput) -> Void
    ) -> BigInteger {
        unsafe right.storage.withNumber { right in
            unsafe computing(left) { unsafe body($0, $1, right) }
        }
    }

    /// Computes with a function of GMP that keeps temporaries on the stack, and wipes the stack afterwards.
    static func computing(
        wipingStack size: StackUse,
        _ left: BigInteger,
        _ right: BigInteger,
        _ body: (NumberOutput, NumberInput, NumberInput) -> Void
    ) -> BigInteger {
        defer { size.wipe() }
        return unsafe computing(left, right, body)
    }

    /// -1, 0 or 1.
    var sign: Int {
        unsafe storage.withNumber { Int(unsafe idemix_mpz_sign($0)) }
    }

    /// Indicates that the number is zero.
    public var isZero: Bool { sign == 0 }

    /// Indicates that the number is below zero.
    public var isNegative: Bool { sign < 0 }

    /// Indicates that the number is odd.
    public var isOdd: Bool { bit(0) }

    /// The number of bits of the absolute value; zero has none.
    public var bitCount: Int {
        isZero ? 0 : unsafe storage.withNumber { Int(unsafe __gmpz_sizeinbase($0, 2)) }
    }

    /// The bit of the two's complement at a position, counted from the least significant one.
    package func bit(_ index: Int) -> Bool {
        unsafe storage.withNumber { unsafe __gmpz_tstbit($0, UInt(max(0, index))) } != 0
    }

    /// The least significant bits of the absolute value, one word of them.
    var lowBits: UInt {
        unsafe storage.withNumber { unsafe __gmpz_getlimbn($0, 0) }
    }

    /// The value as a machine integer, or nil if it does not fit.
    public var int: Int? {
        unsafe storage.withNumber {
            unsafe __gmpz_fits_slong_p($0) != 0 ? unsafe __gmpz_get_si($0) : nil
        }
    }
}

extension BigInteger: Comparable, Hashable {
    /// Returns `true` if both are the same number; not in constant time.
    public static func == (left: BigInteger, right: BigInteger) -> Bool {
        compare(left, right) == 0
    }

    /// Returns `true` if the left one is the smaller; not in constant time.
    public static func < (left: BigInteger, right: BigInteger) -> Bool {
        compare(left, right) < 0
    }

    /// Hashes the number's limbs and its sign.
    public func hash(into hasher: inout Hasher) {
        unsafe storage.withNumber { number in
            let limbs = unsafe UnsafeBufferPointer(start: __gmpz_limbs_read(number), count: __gmpz_size(number))
            unsafe hasher.combine(bytes: UnsafeRawBufferPointer(limbs))
        }
        hasher.combine(sign)
    }

    private static func compare(_ left: BigInteger, _ right: BigInteger) -> Int32 {
        unsafe left.storage.withNumber { left in
            unsafe right.storage.withNumber { right in unsafe __gmpz_cmp(left, right) }
        }
    }
}

extension BigInteger: ExpressibleByIntegerLiteral {
    /// The value of a literal that fits a machine integer.
    public init(integerLiteral value: Int) {
        self.init(value)
    }
}

extension BigInteger: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The size, never the value.
    public var description: String { "BigInteger(\(bitCount) bits)" }

    /// The size, never the value.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
