extension FactoredGroup {
    /// A square root of a number or of one of its multiples, in a time that depends on the multiple only.
    ///
    /// - Parameters:
    ///   - number: A unit below n; the time of the computation does not depend on it.
    ///   - multipliers: Public numbers below n, of which the first is taken that makes the number a square modulo p and q.
    ///   - negates: 1 in place of a 0 for the other root, modulo p and modulo q.
    /// - Returns: The root, or nil if no multiple is a square.
    package func squareRoot(
        of number: BigInteger,
        times multipliers: [BigInteger],
        negates: (p: LimbBuffer, q: LimbBuffer)
    ) -> BigInteger? {
        for multiplier in multipliers {
            guard let rootP = moduloP.squareRoot(of: number, times: multiplier),
                let rootQ = moduloQ.squareRoot(of: number, times: multiplier)
            else { continue }
            return combine(moduloP.negated(rootP, if: negates.p), moduloQ.negated(rootQ, if: negates.q))
        }
        return nil
    }
}

extension FactoredGroup.Half {
    /// A square root of number·multiplier modulo the prime, in the prime's limbs; nil for a non-residue.
    fileprivate func squareRoot(of number: BigInteger, times multiplier: BigInteger) -> LimbBuffer? {
        let square = modulus.product(residue(of: number), residue(of: multiplier))
        let root = modulus.value.bit(1) ? rootForThreeModuloFour(square) : rootForFiveModuloEight(square)
        return modulus.reduced(modulus.product(root, root)).isEqual(to: modulus.reduced(square))
            ? modulus.reduced(root) : nil
    }

    /// x^((p + 1)/4).
    private func rootForThreeModuloFour(_ square: LimbBuffer) -> LimbBuffer {
        power(square, (modulus.value + 1).shiftedRight(by: 2))
    }

    /// With v = (2x)^((p − 5)/8) and i = 2x·v², a root of −1, the root is x·v·(i − 1) (Atkin).
    private func rootForFiveModuloEight(_ square: LimbBuffer) -> LimbBuffer {
        let double = modulus.product(square, modulus.residue(of: 2))
        let v = power(double, (modulus.value - 5).shiftedRight(by: 3))
        let i = modulus.reduced(modulus.product(double, modulus.product(v, v)))
        let minusOne = LimbBuffer(.one, count: modulus.limbCount)
        let factor = modulus.residue(ofWide: i.subtracting(minusOne, modulo: modulus.limbs))
        return modulus.product(modulus.product(square, v), factor)
    }

    private func power(_ residue: LimbBuffer, _ exponent: BigInteger) -> LimbBuffer {
        var product = PowerProduct(modulus, timing: .constant)
        product.multiply(residue, to: exponent, bits: bits + 1)
        return product.residue()
    }

    /// The number itself for a bit of 0, its difference from the prime for 1.
    fileprivate func negated(_ number: LimbBuffer, if bit: LimbBuffer) -> LimbBuffer {
        let negative = LimbBuffer(.zero, count: modulus.limbCount).subtracting(number, modulo: modulus.limbs)
        return .choose(bit, negative, number)
    }
}
