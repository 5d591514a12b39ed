import CryptoCore
import IdemixCore

/// An exponent below o, in as many limbs as o has.
typealias Scalar = LimbBuffer

/// The squares modulo the safe prime Γ, a group of the prime order o = (Γ − 1)/2 with the generators g and h.
///
/// The logarithm of h to the base g is unknown.
final class ProofGroup: Sendable {
    /// The length of a challenge, of which each round of a proof of an interval takes one bit.
    static let challengeBits = 256

    /// Γ.
    let prime: BigInteger
    /// o.
    let order: BigInteger
    /// The length of o in bits.
    let orderBits: Int
    /// Constant where exponents are secret: for the prover.
    let timing: Timing
    let modulus: MontgomeryModulus
    private let orderLimbs: LimbBuffer
    private let tableG: FixedBase
    private let tableH: FixedBase

    /// One of the bases that exponents are applied to.
    enum Base {
        case g
        case h
        case element(BigInteger)
    }

    /// Computes the generators and their tables.
    init(prime: BigInteger, timing: Timing) {
        self.prime = prime
        self.timing = timing
        let order = prime.shiftedRight(by: 1)
        self.order = order
        orderBits = order.bitCount
        orderLimbs = LimbBuffer(order, bits: order.bitCount)
        let modulus = MontgomeryModulus(prime)
        self.modulus = modulus
        let shape =
            switch timing {
            case .constant: CombShape(teeth: 5, columns: 27)
            case .variable: CombShape(teeth: 8, columns: 12)
            }
        func table(_ base: BigInteger, _ exponent: BigInteger) -> FixedBase {
            // Public numbers. The exponents are even, so that both are squares.
            let residue = modulus.residue(of: base.power(exponent, modulo: prime))
            return FixedBase(
                residue: residue,
                modulus: modulus,
                shape: shape,
                bits: order.bitCount,
                timing: .variable
            )
        }
        tableG = table(0x4142_4344, 0x4546_4748)
        tableH = table(0x494a_4b4c, 0x4d4e_4f50)
    }
}

// Exponents.
extension ProofGroup {
    /// The number of limbs of a scalar.
    var limbCount: Int { orderLimbs.count }

    /// A number below o.
    func scalar(_ number: BigInteger) -> Scalar { LimbBuffer(number, count: limbCount) }

    /// A random exponent.
    func randomScalar(using randomness: some RandomSource) -> Scalar {
        scalar(.random(below: order, using: randomness))
    }

    func sum(_ a: Scalar, _ b: Scalar) -> Scalar { difference(a, negated(b)) }

    func difference(_ a: Scalar, _ b: Scalar) -> Scalar { a.subtracting(b, modulo: orderLimbs) }

    func negated(_ a: Scalar) -> Scalar { difference(scalar(.zero), a) }

    /// The product of numbers of any length, modulo o.
    func product(_ a: LimbBuffer, _ b: LimbBuffer) -> Scalar { (a * b).remainder(dividingBy: orderLimbs) }

    /// The response x~ − c·x to a challenge.
    func response(_ randomizer: BigInteger, _ challenge: LimbBuffer, _ secret: Scalar) -> BigInteger {
        difference(scalar(randomizer), product(challenge, secret)).number
    }

    /// The exponent times −1 or −2.
    func negative(_ exponent: BigInteger, times factor: Int = 1) -> BigInteger {
        let negative = negated(scalar(exponent))
        return (factor == 2 ? sum(negative, negative) : negative).number
    }
}

// Elements.
extension ProofGroup {
    /// The commitment g^x·h^y.
    func commitment(_ x: Scalar, _ y: Scalar) -> BigInteger {
        var product = PowerProduct(modulus, timing: timing)
        product.multiply(tableG, to: x, bits: orderBits)
        product.multiply(tableH, to: y, bits: orderBits)
        return product.value()
    }

    /// g to a public exponent of either sign.
    func powerOfG(_ exponent: BigInteger) -> BigInteger {
        commitment(scalar(exponent.modulo(order)), scalar(.zero))
    }

    /// The quotient of two products of public elements.
    func quotient(_ numerators: [BigInteger], _ denominators: [BigInteger] = []) -> BigInteger {
        func product(_ factors: [BigInteger]) -> BigInteger {
            factors.reduce(.one) { ($0 * $1).modulo(prime) }
        }
        // An element that has no inverse is refused before any of this.
        return product(numerators + [product(denominators).inverse(modulo: prime) ?? .zero])
    }

    /// Returns `true` if a number is an element of the group.
    func contains(_ number: BigInteger) -> Bool {
        number > 0 && number < prime && number.jacobiSymbol(over: prime) == 1
    }

    /// Returns `true` for an exponent below o.
    func isScalar(_ number: BigInteger) -> Bool { !number.isNegative && number < order }

    /// The commitment that a proof of left = ∏ base^secret implies: left^c·∏ base^response.
    ///
    /// With the randomizers in place of the responses, and a challenge of zero, it is the prover's own.
    func commitment(
        _ left: BigInteger,
        _ challenge: BigInteger,
        _ right: [(Base, BigInteger)]
    ) -> BigInteger {
        var product = PowerProduct(modulus, timing: timing)
        product.multiply(modulus.residue(of: left), to: challenge, bits: Self.challengeBits)
        for (base, exponent) in right { multiply(&product, base, exponent, bits: orderBits) }
        return product.value()
    }

    /// Multiplies a product by base^exponent.
    func multiply(_ product: inout PowerProduct, _ base: Base, _ exponent: BigInteger, bits: Int) {
        switch base {
        case .g: product.multiply(tableG, to: LimbBuffer(exponent, bits: bits), bits: bits)
        case .h: product.multiply(tableH, to: LimbBuffer(exponent, bits: bits), bits: bits)
        case .element(let element): product.multiply(modulus.residue(of: element), to: exponent, bits: bits)
        }
    }
}
