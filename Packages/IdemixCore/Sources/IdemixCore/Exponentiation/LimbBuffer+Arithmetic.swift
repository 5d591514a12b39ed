import CIdemixCoreGMP

/// Arithmetic on numbers that are not negative, in a time that depends on the counts of limbs only.
extension LimbBuffer {
    /// The product, as long as both factors together.
    package static func * (left: LimbBuffer, right: LimbBuffer) -> LimbBuffer {
        guard left.count >= right.count else { return right * left }
        let product = LimbBuffer(count: left.count + right.count)
        let scratch = LimbBuffer(count: Int(__gmpn_sec_mul_itch(left.count, right.count)))
        unsafe __gmpn_sec_mul(product.limbs, left.limbs, left.count, right.limbs, right.count, scratch.limbs)
        withExtendedLifetime((left, right, scratch)) {}
        return product
    }

    /// The sum, one limb longer than the longer one.
    package static func + (left: LimbBuffer, right: LimbBuffer) -> LimbBuffer {
        let count = max(left.count, right.count) + 1
        let (sum, other) = (LimbBuffer(left, count: count), LimbBuffer(right, count: count))
        _ = unsafe __gmpn_add_n(sum.limbs, sum.limbs, other.limbs, count)
        withExtendedLifetime(other) {}
        return sum
    }

    /// The difference, as long as the minuend, which must not be the smaller one.
    static func - (left: LimbBuffer, right: LimbBuffer) -> LimbBuffer {
        let (difference, other) = (LimbBuffer(left, count: left.count), LimbBuffer(right, count: left.count))
        _ = unsafe __gmpn_sub_n(difference.limbs, difference.limbs, other.limbs, left.count)
        withExtendedLifetime(other) {}
        return difference
    }

    /// The difference modulo a number that both are below.
    package func subtracting(_ other: LimbBuffer, modulo modulus: LimbBuffer) -> LimbBuffer {
        let difference = LimbBuffer(self, count: modulus.count)
        let other = LimbBuffer(other, count: modulus.count)
        let borrow = unsafe __gmpn_sub_n(difference.limbs, difference.limbs, other.limbs, modulus.count)
        _ = unsafe __gmpn_cnd_add_n(borrow, difference.limbs, difference.limbs, modulus.limbs, modulus.count)
        withExtendedLifetime((other, modulus)) {}
        return difference
    }

    /// The number itself if it is even, else its sum with another one of the same count, which must not overflow.
    package func addingIfOdd(_ other: LimbBuffer) -> LimbBuffer {
        let sum = LimbBuffer(self, count: count)
        _ = unsafe __gmpn_cnd_add_n(sum.limbs[0] & 1, sum.limbs, sum.limbs, other.limbs, count)
        withExtendedLifetime(other) {}
        return sum
    }

    /// Quotient and remainder of the division by a number whose topmost limb is not zero.
    package func divided(by divisor: LimbBuffer) -> (quotient: LimbBuffer, remainder: LimbBuffer) {
        // An extra limb, so that the topmost limb of the quotient is not returned separately.
        let dividend = LimbBuffer(self, count: max(count, divisor.count) + 1)
        let quotient = LimbBuffer(count: dividend.count - divisor.count)
        let scratch = LimbBuffer(count: Int(__gmpn_sec_div_qr_itch(dividend.count, divisor.count)))
        _ = unsafe __gmpn_sec_div_qr(
            quotient.limbs,
            dividend.limbs,
            dividend.count,
            divisor.limbs,
            divisor.count,
            scratch.limbs
        )
        withExtendedLifetime((divisor, scratch)) {}
        return (quotient, LimbBuffer(dividend, count: divisor.count))
    }

    /// The remainder of the division by a number whose topmost limb is not zero.
    package func remainder(dividingBy divisor: LimbBuffer) -> LimbBuffer {
        let dividend = LimbBuffer(self, count: max(count, divisor.count))
        let scratch = LimbBuffer(count: Int(__gmpn_sec_div_r_itch(dividend.count, divisor.count)))
        unsafe __gmpn_sec_div_r(dividend.limbs, dividend.count, divisor.limbs, divisor.count, scratch.limbs)
        withExtendedLifetime((divisor, scratch)) {}
        return LimbBuffer(dividend, count: divisor.count)
    }

    /// The inverse of a number below an odd modulus, or nil for a number without an inverse.
    package func inverse(modulo modulus: LimbBuffer) -> LimbBuffer? {
        let value = LimbBuffer(self, count: modulus.count)
        let inverse = LimbBuffer(count: modulus.count)
        let scratch = LimbBuffer(count: Int(__gmpn_sec_invert_itch(modulus.count)))
        let exists = unsafe __gmpn_sec_invert(
            inverse.limbs,
            value.limbs,
            modulus.limbs,
            modulus.count,
            UInt(128 * modulus.count),
            scratch.limbs
        )
        withExtendedLifetime((value, modulus, scratch)) {}
        return exists != 0 ? inverse : nil
    }

    /// Compares two numbers of the same count in constant time.
    package func isEqual(to other: LimbBuffer) -> Bool {
        defer { withExtendedLifetime((self, other)) {} }
        return unsafe count == other.count && idemix_equal(limbs, other.limbs, count) != 0
    }

    /// The sum of the products of numbers that are not negative, of at most the given bit lengths.
    static func sumOfProducts(_ left: [BigInteger], bits leftBits: Int, _ right: [BigInteger], bits: Int) -> LimbBuffer
    {
        zip(left, right).reduce(LimbBuffer(count: 1)) {
            $0 + LimbBuffer($1.0, bits: leftBits) * LimbBuffer($1.1, bits: bits)
        }
    }
}

extension BigInteger {
    /// The response x~ + c·x of a proof, in a time that depends on the lengths of randomizer and challenge only.
    ///
    /// - Parameters:
    ///   - randomizer: x~, not negative and of any length: it is random.
    ///   - challenge: c, of at most 256 bits.
    ///   - secret: x.
    static func response(randomizer: BigInteger, challenge: BigInteger, secret: LimbBuffer) -> BigInteger {
        (LimbBuffer(randomizer, bits: max(1, randomizer.bitCount)) + LimbBuffer(challenge, bits: 256) * secret).number
    }

    /// The response x~ + c·x of a proof, for a secret x that is not negative and has at most the given bit length.
    package static func response(
        randomizer: BigInteger,
        challenge: BigInteger,
        secret: BigInteger,
        bits: Int
    ) -> BigInteger {
        response(randomizer: randomizer, challenge: challenge, secret: LimbBuffer(secret, bits: bits))
    }
}
