import Synchronization

/// The group of a public key: arithmetic modulo n, and the tables of the key's bases.
final class KeyGroup: Sendable {
    let modulus: MontgomeryModulus
    let parameters: SystemParameters
    private let bases: [KeyBase: BigInteger]
    private let tables: FixedBaseTables
    private let negativeOffsetPowers = Mutex<[KeyBase: BigInteger]>([:])

    init(_ elements: KeyElements, parameters: SystemParameters, tables: FixedBaseTables) {
        modulus = MontgomeryModulus(elements.n)
        self.parameters = parameters
        self.tables = tables
        var bases: [KeyBase: BigInteger] = [.s: elements.S]
        bases[.zInverse] = elements.Z.inverse(modulo: elements.n)
        for (index, base) in elements.R.enumerated() { bases[.r(index)] = base }
        bases[.g] = elements.G
        bases[.h] = elements.H
        self.bases = bases
    }

    /// Multiplies a product by base^exponent.
    ///
    /// - Parameters:
    ///   - exponent: Not negative.
    ///   - bits: How long it may be; in constant time nothing else about it shows.
    func multiply(_ product: inout PowerProduct, _ base: KeyBase, to exponent: BigInteger, bits: Int, timing: Timing) {
        guard let number = bases[base] else { return }
        if timing == .variable, exponent.isZero { return }
        let longest = base.exponentBits(parameters)
        // A long row is a waste for an exponent that is much shorter than the longest.
        let shape = timing == .constant || bits * 3 < longest ? CombShape.secret : .public(bits: longest)
        if bits <= shape.capacity(bits: longest),
            let table = tables.base(number, modulus: modulus, shape: shape, bits: longest)
        {
            product.multiply(table, to: exponent, bits: bits)
        } else {
            product.multiply(number, to: exponent, bits: bits)
        }
    }

    /// Multiplies a product by base^exponent, in constant time, for a base that belongs to a credential.
    func multiply(_ product: inout PowerProduct, _ base: OwnedBase, to exponent: BigInteger, bits: Int) {
        if let table = base.table(modulus: modulus, bits: bits, maximumByteCount: tables.maximumByteCount) {
            product.multiply(table, to: exponent, bits: bits)
        } else {
            product.multiply(base.value, to: exponent, bits: bits)
        }
    }

    /// How many bits K = 2^k has, which moves the differences of a proof of non-revocation above zero.
    static func offsetBits(_ parameters: SystemParameters) -> Int {
        parameters.modulus - 2 + RevocationParameters.randomizerExcess + RevocationParameters.attribute
    }

    /// base^(−K), computed once per key.
    func negativeOffsetPower(of base: KeyBase) -> BigInteger {
        if let power = negativeOffsetPowers.withLock({ $0[base] }) { return power }
        let offset = BigInteger.powerOfTwo(Self.offsetBits(parameters))
        let power = bases[base]?.signedPower(-offset, modulo: modulus.value) ?? .one
        negativeOffsetPowers.withLock { $0[base] = power }
        return power
    }
}
