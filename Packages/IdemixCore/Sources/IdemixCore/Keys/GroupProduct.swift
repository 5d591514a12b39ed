/// A product of powers in the group of a public key, read like the equation that it computes.
struct GroupProduct {
    private let group: KeyGroup
    private let timing: Timing
    private let count = PowerCount.current
    private var product: PowerProduct
    private var factor: BigInteger?

    /// The empty product.
    init(_ group: KeyGroup, timing: Timing) {
        self.group = group
        self.timing = timing
        product = PowerProduct(group.modulus, timing: timing)
    }

    /// Multiplies by base^exponent.
    ///
    /// In constant time `bits` is needed: how long such an exponent may be.
    mutating func multiply(_ base: CommonBase, to exponent: BigInteger, bits: Int? = nil) {
        multiply(fixed: group.number(of: base), to: exponent, bits: bits, longest: base.exponentBits(group.parameters))
    }

    /// Multiplies by base^exponent.
    ///
    /// Constant time requires `bits`, the largest length of such an exponent.
    ///
    /// - Throws: The errors of ``KeyGroup/number(of:)`` for a missing base.
    mutating func multiply(_ base: KeyBase, to exponent: BigInteger, bits: Int? = nil) throws(IdemixError) {
        let number = try group.number(of: base)
        multiply(fixed: number, to: exponent, bits: bits, longest: base.exponentBits(group.parameters))
    }

    /// Multiplies by base^exponent for a base that has no table.
    mutating func multiply(_ base: BigInteger, to exponent: BigInteger, bits: Int? = nil) {
        let bits = bits ?? exponent.bitCount
        count?.add(bits: bits, hasTable: false)
        product.multiply(base, to: exponent, bits: bits)
    }

    private mutating func multiply(fixed base: BigInteger, to exponent: BigInteger, bits: Int?, longest: Int) {
        let bits = bits ?? exponent.bitCount
        count?.add(bits: bits, hasTable: true)
        group.multiply(&product, fixed: base, to: exponent, bits: bits, longest: longest, timing: timing)
    }

    /// Multiplies by base^exponent for a base that belongs to a credential, in constant time.
    mutating func multiply(_ base: OwnedBase, to exponent: BigInteger, bits: Int) {
        count?.add(bits: bits, hasTable: true)
        group.multiply(&product, base, to: exponent, bits: bits)
    }

    /// Multiplies by an element of the group.
    mutating func multiply(by element: BigInteger) {
        factor = factor.map { group.modulus.product($0, element) } ?? element
    }

    /// The product, a number below n.
    func value() -> BigInteger {
        let value = product.value()
        return factor.map { group.modulus.product(value, $0) } ?? value
    }
}
