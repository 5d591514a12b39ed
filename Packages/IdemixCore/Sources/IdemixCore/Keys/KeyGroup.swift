import Synchronization

/// The group of a public key: arithmetic modulo n, and the tables of the key's bases.
final class KeyGroup: Sendable {
    let modulus: MontgomeryModulus
    let parameters: IdemixSystemParameters
    private let elements: IdemixKeyElements
    private let zInverse: BigInteger
    private let tables: FixedBaseTables
    private let negativeOffsetPowers = Mutex<[KeyBase: BigInteger]>([:])

    /// - Throws: ``IdemixError/Code/notInvertible`` for a Z that shares a factor with n.
    init(_ elements: IdemixKeyElements, parameters: IdemixSystemParameters, tables: FixedBaseTables) throws(IdemixError)
    {
        guard let zInverse = elements.Z.inverse(modulo: elements.n) else {
            throw IdemixError(.notInvertible, "Z has no inverse modulo n", path: ["Z"])
        }
        modulus = MontgomeryModulus(elements.n)
        self.elements = elements
        self.zInverse = zInverse
        self.parameters = parameters
        self.tables = tables
    }

    /// The number of a base that every key has.
    func number(of base: CommonBase) -> BigInteger {
        switch base {
        case .s: elements.S
        case .zInverse: zInverse
        case .secretKey: elements.R[0]
        }
    }

    /// The number of a base.
    ///
    /// - Throws: ``IdemixError/Code/revocationNotSupported`` for G and H of a key without them,
    ///   ``IdemixError/Code/invalidIndices`` for an index that the key has no base R for.
    func number(of base: KeyBase) throws(IdemixError) -> BigInteger {
        switch base {
        case .r(let index):
            guard elements.R.indices.contains(index) else {
                throw IdemixError(.invalidIndices, "the public key has no base for index \(index)", path: ["R"])
            }
            return elements.R[index]
        case .g, .h:
            guard let number = base == .g ? elements.G : elements.H else {
                throw IdemixError(.revocationNotSupported, "the public key has no material for revocation")
            }
            return number
        }
    }

    /// The inverse of an element modulo n.
    ///
    /// - Throws: ``IdemixError/Code/notInvertible``.
    func inverse(of element: BigInteger, _ name: String) throws(IdemixError) -> BigInteger {
        guard let inverse = element.inverse(modulo: modulus.value) else {
            throw IdemixError(.notInvertible, "a number that shares a factor with the modulus", path: [name])
        }
        return inverse
    }

    /// Multiplies a product by base^exponent for a base that comes back often enough for a table.
    ///
    /// - Parameters:
    ///   - exponent: Not negative.
    ///   - bits: The exponent's largest length; in constant time nothing else about it shows.
    ///   - longest: The largest length of any exponent of the base.
    func multiply(
        _ product: inout PowerProduct,
        fixed number: BigInteger,
        to exponent: BigInteger,
        bits: Int,
        longest: Int,
        timing: Timing
    ) {
        if timing == .variable, exponent.isZero { return }
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

    /// The bit length of K = 2^k, which moves the differences of a proof of non-revocation above zero.
    static func offsetBits(_ parameters: IdemixSystemParameters) -> Int {
        parameters.modulus - 2 + RevocationParameters.randomizerExcess + RevocationParameters.attribute
    }

    /// base^(−K), computed once per key.
    ///
    /// - Throws: The errors of ``number(of:)``; ``IdemixError/Code/notInvertible``.
    func negativeOffsetPower(of base: KeyBase) throws(IdemixError) -> BigInteger {
        if let power = negativeOffsetPowers.withLock({ $0[base] }) { return power }
        let offset = BigInteger.powerOfTwo(Self.offsetBits(parameters))
        guard let power = try number(of: base).signedPower(-offset, modulo: modulus.value) else {
            throw IdemixError(.notInvertible, "a base shares a factor with the modulus")
        }
        negativeOffsetPowers.withLock { $0[base] = power }
        return power
    }
}
