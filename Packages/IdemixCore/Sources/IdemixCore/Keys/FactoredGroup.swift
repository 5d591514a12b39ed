import CryptoCore

/// The squares modulo n = p·q for who knows p and q: exponents are reduced, and each prime is worked with by itself.
///
/// With safe primes p = 2p' + 1 and q = 2q' + 1 the squares form a cyclic group of order p'·q'.
final class FactoredGroup: Sendable {
    let p: BigInteger
    let q: BigInteger
    /// p' = (p − 1)/2, the order of the squares modulo p.
    let pPrime: BigInteger
    /// q' = (q − 1)/2, the order of the squares modulo q.
    let qPrime: BigInteger
    /// p'·q'.
    let order: BigInteger
    private let moduloP: MontgomeryModulus
    private let moduloQ: MontgomeryModulus
    private let inverseOfQ: BigInteger

    /// Prepares two different odd primes; nil where p and q are not coprime.
    init?(p: BigInteger, q: BigInteger) {
        guard p.isOdd, q.isOdd, p > 1, q > 1, let inverse = q.inverse(modulo: p) else { return nil }
        self.p = p
        self.q = q
        pPrime = p.shiftedRight(by: 1)
        qPrime = q.shiftedRight(by: 1)
        order = pPrime * qPrime
        moduloP = MontgomeryModulus(p)
        moduloQ = MontgomeryModulus(q)
        inverseOfQ = inverse
    }

    /// Whether a unit is a square modulo n.
    func isSquare(_ x: BigInteger) -> Bool {
        x.jacobiSymbol(over: p) == 1 && x.jacobiSymbol(over: q) == 1
    }

    /// A random square other than 1.
    func randomSquare(from randomness: some RandomSource) -> BigInteger {
        let n = p * q
        while true {
            let root = BigInteger.randomUnit(modulo: n, from: randomness)
            let square = (root * root).modulo(n)
            if square != .one { return square }
        }
    }

    /// Powers of one square, in constant time with respect to the exponents.
    func powers(of square: BigInteger, _ exponents: [BigInteger]) -> [BigInteger] {
        let bits = max(pPrime.bitCount, qPrime.bitCount)
        let baseP = FixedBase(square.modulo(p), modulus: moduloP, shape: .pair, bits: bits, timing: .constant)
        let baseQ = FixedBase(square.modulo(q), modulus: moduloQ, shape: .pair, bits: bits, timing: .constant)
        return exponents.map { exponent in
            var powerP = PowerProduct(moduloP, timing: .constant)
            powerP.multiply(baseP, to: exponent.modulo(pPrime), bits: bits)
            var powerQ = PowerProduct(moduloQ, timing: .constant)
            powerQ.multiply(baseQ, to: exponent.modulo(qPrime), bits: bits)
            return combine(powerP.value(), powerQ.value())
        }
    }

    /// Whether base^exponent = power modulo p and modulo q, for a public exponent.
    func isPower(_ power: BigInteger, of base: BigInteger, _ exponent: BigInteger) -> Bool {
        [moduloP, moduloQ].allSatisfy { modulus in
            var product = PowerProduct(modulus, timing: .variable)
            product.multiply(base, to: exponent, bits: exponent.bitCount)
            return product.value() == power.modulo(modulus.value)
        }
    }

    /// The number below n with given remainders: x_q + q·((x_p − x_q)·q^-1 mod p).
    private func combine(_ remainderP: BigInteger, _ remainderQ: BigInteger) -> BigInteger {
        remainderQ + q * ((remainderP - remainderQ) * inverseOfQ).modulo(p)
    }
}
