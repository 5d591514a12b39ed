import CIdemixCoreGMP

extension BigInteger {
    /// The sum.
    public static func + (left: BigInteger, right: BigInteger) -> BigInteger {
        unsafe computing(left, right) { unsafe __gmpz_add($0, $1, $2) }
    }

    /// The difference.
    public static func - (left: BigInteger, right: BigInteger) -> BigInteger {
        unsafe computing(left, right) { unsafe __gmpz_sub($0, $1, $2) }
    }

    /// The product.
    public static func * (left: BigInteger, right: BigInteger) -> BigInteger {
        unsafe computing(left, right) { unsafe __gmpz_mul($0, $1, $2) }
    }

    /// The number with the other sign.
    public static prefix func - (value: BigInteger) -> BigInteger {
        unsafe computing(value) { unsafe __gmpz_neg($0, $1) }
    }

    /// The absolute value.
    public var magnitude: BigInteger {
        unsafe BigInteger.computing(self) { unsafe __gmpz_abs($0, $1) }
    }

    /// The number times a power of two.
    package func shiftedLeft(by count: Int) -> BigInteger {
        unsafe BigInteger.computing(self) { unsafe __gmpz_mul_2exp($0, $1, UInt(max(0, count))) }
    }

    /// The number divided by a power of two, rounded towards minus infinity.
    package func shiftedRight(by count: Int) -> BigInteger {
        unsafe BigInteger.computing(self) { unsafe __gmpz_fdiv_q_2exp($0, $1, UInt(max(0, count))) }
    }

    /// The remainder in 0..<modulus; zero for a modulus that is not positive.
    package func modulo(_ modulus: BigInteger) -> BigInteger {
        guard modulus.sign > 0 else { return .zero }
        return unsafe BigInteger.computing(wipingStack: .little, self, modulus) { unsafe __gmpz_fdiv_r($0, $1, $2) }
    }

    /// The quotient, rounded towards minus infinity; zero for a divisor of zero.
    func dividedRoundingDown(by divisor: BigInteger) -> BigInteger {
        guard !divisor.isZero else { return .zero }
        return unsafe BigInteger.computing(wipingStack: .little, self, divisor) { unsafe __gmpz_fdiv_q($0, $1, $2) }
    }

    /// The remainder of the division by a small number, which must not be zero.
    package func remainder(dividingBy divisor: UInt) -> UInt {
        guard divisor != 0 else { return 0 }
        return unsafe storage.withNumber { unsafe __gmpz_fdiv_ui($0, divisor) }
    }

    /// The largest integer whose square is not above the number; zero for a negative number.
    var squareRoot: BigInteger {
        guard !isNegative else { return .zero }
        defer { StackUse.little.wipe() }
        return unsafe BigInteger.computing(self) { unsafe __gmpz_sqrt($0, $1) }
    }
}

extension BigInteger {
    /// The product of all numbers; neighbors are multiplied first, so that the factors stay of equal length.
    static func product(of factors: [BigInteger]) -> BigInteger {
        var factors = factors
        while factors.count > 1 {
            factors = stride(from: 0, to: factors.count, by: 2).map { index in
                index + 1 < factors.count ? factors[index] * factors[index + 1] : factors[index]
            }
        }
        return factors.first ?? .one
    }
}
