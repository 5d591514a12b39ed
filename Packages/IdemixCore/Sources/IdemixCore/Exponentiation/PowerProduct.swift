/// A product of powers modulo one number, computed in one go: all factors share the squarings.
package struct PowerProduct {
    private let modulus: MontgomeryModulus
    private let timing: Timing
    private var terms: [PowerTerm] = []

    /// The empty product.
    package init(_ modulus: MontgomeryModulus, timing: Timing) {
        self.modulus = modulus
        self.timing = timing
    }

    /// Multiplies by base^exponent, with the base's table.
    ///
    /// - Parameters:
    ///   - exponent: Not negative.
    ///   - bits: The largest length of the exponent, on which the time depends. At most the table's length.
    mutating func multiply(_ base: FixedBase, to exponent: BigInteger, bits: Int) {
        multiply(base, to: LimbBuffer(exponent, bits: bits), bits: bits)
    }

    /// Multiplies by base^exponent, with the base's table.
    package mutating func multiply(_ base: FixedBase, to exponent: LimbBuffer, bits: Int) {
        terms.append(PowerTerm(base, exponent: exponent, bits: bits))
    }

    /// Multiplies by base^exponent for a base without a table; `bits` counts in constant time only.
    package mutating func multiply(_ base: BigInteger, to exponent: BigInteger, bits: Int) {
        multiply(modulus.residue(of: base), to: exponent, bits: bits)
    }

    /// Multiplies by base^exponent for the residue of a base without a table.
    package mutating func multiply(_ residue: LimbBuffer, to exponent: BigInteger, bits: Int) {
        switch timing {
        case .constant:
            terms.append(PowerTerm(window: residue, modulus: modulus, exponent: exponent, bits: bits))
        case .variable:
            guard !exponent.isZero else { return }
            terms.append(PowerTerm(sliding: residue, modulus: modulus, exponent: exponent))
        }
    }

    /// Multiplies by one of two residues, in a time that does not tell which: by the second for a bit of 1.
    package mutating func multiply(oneOf pair: ResiduePair, second: LimbBuffer) {
        terms.append(PowerTerm(pair, second: second))
    }

    /// The product, a number below the modulus.
    package func value() -> BigInteger { modulus.number(of: residue()) }

    /// The product's residue.
    func residue() -> LimbBuffer {
        // The multiplication of digits keeps what has no room in registers on the stack.
        defer { StackUse.little.wipe() }
        let product = ResidueAccumulator(modulus, timing: timing)
        let factors = unsafe terms.map { unsafe $0.factor }
        let steps = terms.map(\.steps).max() ?? 0
        unsafe product.withSteps { residue in
            for step in (0..<steps).reversed() {
                if step < steps - 1 { unsafe residue.square() }
                for index in terms.indices { unsafe factors[index].multiply(residue, at: step) }
            }
        }
        withExtendedLifetime(terms) {}
        return product.value
    }
}
