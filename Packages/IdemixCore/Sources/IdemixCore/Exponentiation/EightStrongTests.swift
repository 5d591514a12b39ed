import CIdemixCoreGMP
package import CryptoCore

/// Eight Miller–Rabin rounds at once, where the processor has vector instructions for residues in digits.
package struct EightStrongTests {
    private static let lanes = 8
    private let modulus: MontgomeryModulus

    /// Prepares the tests of an odd number; nil for a length or a processor without such instructions.
    package init?(_ number: BigInteger) {
        guard number.isOdd, (200...4_096).contains(number.bitCount) else { return nil }
        modulus = MontgomeryModulus(number)
        guard modulus.digitCount > 0 else { return nil }
    }

    /// Returns `true` if the number passes with eight random bases; the time depends on the number.
    ///
    /// With n − 1 = 2^s·d, a base b passes if b^d = 1 or b^(2^i·d) = −1 for some i < s.
    package func pass(using randomness: some RandomSource) -> Bool {
        defer { StackUse.little.wipe() }
        let minusOne = modulus.value - 1
        let twos = unsafe minusOne.storage.withNumber { Int(unsafe __gmpz_scan1($0, 0)) }
        let exponent = minusOne.shiftedRight(by: twos)
        let bases = randomBases(using: randomness)
        let power = LimbBuffer(bases, count: bases.count)
        for position in (0..<exponent.bitCount - 1).reversed() {
            multiply(power, by: power)
            if exponent.bit(position) { multiply(power, by: bases) }
        }
        let one = modulus.number(ofDigits: modulus.one)
        var open = Array(0..<Self.lanes)
        for step in 0..<twos {
            if step > 0 { multiply(power, by: power) }
            open.removeAll { lane in
                let x = number(in: lane, of: power)
                return x == modulus.value - one || (step == 0 && x == one)
            }
            if open.isEmpty { return true }
        }
        return false
    }

    /// Random numbers from 1 to n − 1, digit by digit; a random residue is the residue of a random number.
    private func randomBases(using randomness: some RandomSource) -> LimbBuffer {
        let bases = LimbBuffer(count: Self.lanes * modulus.digitCount)
        for lane in 0..<Self.lanes {
            let base = 1 + BigInteger.random(below: modulus.value - 1, using: randomness)
            let digits = modulus.row(LimbBuffer(base, count: modulus.limbCount))
            for index in 0..<modulus.digitCount {
                unsafe bases.limbs[Self.lanes * index + lane] = digits.limbs[index]
            }
            withExtendedLifetime((bases, digits)) {}
        }
        return bases
    }

    private func multiply(_ numbers: LimbBuffer, by others: LimbBuffer) {
        let arithmetic = unsafe modulus.arithmetic
        unsafe idemix_multiply_eight(
            numbers.limbs,
            numbers.limbs,
            others.limbs,
            arithmetic.modulus,
            arithmetic.negativeInverse,
            arithmetic.digitCount
        )
        withExtendedLifetime((numbers, others, modulus)) {}
    }

    /// The residue in a lane, below n.
    private func number(in lane: Int, of numbers: LimbBuffer) -> BigInteger {
        let digits = LimbBuffer(count: modulus.width)
        for index in 0..<modulus.digitCount {
            unsafe digits.limbs[index] = numbers.limbs[Self.lanes * index + lane]
        }
        withExtendedLifetime((digits, numbers)) {}
        return modulus.number(ofDigits: digits)
    }
}

extension MontgomeryModulus {
    /// The number below n whose digits a row holds, not the number that it is the residue of.
    fileprivate func number(ofDigits row: LimbBuffer) -> BigInteger {
        let limbs = LimbBuffer(count: limbCount + 1)
        unsafe idemix_limbs_from_digits(limbs.limbs, limbs.count, row.limbs, digitCount)
        withExtendedLifetime(row) {}
        return limbs.number.modulo(value)
    }
}
