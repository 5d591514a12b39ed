import CIdemixCoreGMP

extension BigInteger {
    /// The greatest common divisor.
    package func greatestCommonDivisor(with other: BigInteger) -> BigInteger {
        unsafe BigInteger.computing(wipingStack: .much, self, other) { unsafe __gmpz_gcd($0, $1, $2) }
    }

    /// The inverse modulo a positive number, or nil if it does not exist.
    package func inverse(modulo modulus: BigInteger) -> BigInteger? {
        guard modulus.sign > 0 else { return nil }
        var exists = false
        let inverse = unsafe BigInteger.computing(wipingStack: .much, self, modulus) {
            exists = unsafe __gmpz_invert($0, $1, $2) != 0
        }
        return exists ? inverse : nil
    }

    /// g, a and b with g = gcd(x, y) = a·x + b·y.
    static func extendedGreatestCommonDivisor(
        _ x: BigInteger,
        _ y: BigInteger
    ) -> (g: BigInteger, a: BigInteger, b: BigInteger) {
        let g = x.greatestCommonDivisor(with: y)
        guard !x.isZero, !y.isZero else {
            return (g, BigInteger(x.sign), BigInteger(y.sign))
        }
        // a = (x/g)^-1 mod y/g, b = (g − a·x) / y, an exact division.
        let reduced = y.magnitude.dividedRoundingDown(by: g)
        let a = x.dividedRoundingDown(by: g).inverse(modulo: reduced) ?? .zero
        return (g, a, (g - a * x).dividedRoundingDown(by: y))
    }

    /// The Jacobi symbol (self / n) for an odd positive n.
    package func jacobiSymbol(over n: BigInteger) -> Int {
        defer { StackUse.much.wipe() }
        return unsafe storage.withNumber { value in
            unsafe n.storage.withNumber { Int(unsafe __gmpz_jacobi(value, $0)) }
        }
    }

    /// self^exponent mod modulus for an exponent that is not negative, in variable time: for public values only.
    package func power(_ exponent: BigInteger, modulo modulus: BigInteger) -> BigInteger {
        guard modulus.sign > 0, !exponent.isNegative else { return .zero }
        return unsafe exponent.storage.withNumber { exponent in
            unsafe BigInteger.computing(wipingStack: .much, self, modulus) { unsafe __gmpz_powm($0, $1, exponent, $2) }
        }
    }

    /// self^exponent for an exponent of either sign, in variable time; nil if the inverse does not exist.
    func signedPower(_ exponent: BigInteger, modulo n: BigInteger) -> BigInteger? {
        guard exponent.isNegative else { return power(exponent, modulo: n) }
        return inverse(modulo: n)?.power(-exponent, modulo: n)
    }
}
