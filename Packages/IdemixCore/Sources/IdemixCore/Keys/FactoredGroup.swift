package import CryptoCore

/// The squares modulo n = p·q for an owner of p and q: exponents are reduced, and each prime is computed with
/// separately.
///
/// With safe primes p = 2p' + 1 and q = 2q' + 1 the squares form a cyclic group of order p'·q'. After the setup, the
/// time of a computation depends neither on the factors nor on exponents and elements.
package final class FactoredGroup: Sendable {
    package let p: BigInteger
    package let q: BigInteger
    /// p' = (p − 1)/2, the order of the squares modulo p.
    let pPrime: BigInteger
    /// q' = (q − 1)/2, the order of the squares modulo q.
    let qPrime: BigInteger
    /// p'·q'.
    package let order: BigInteger
    private let orderLimbs: LimbBuffer
    let moduloP: Half
    let moduloQ: Half
    /// The residue of q^-1 modulo p.
    private let inverseOfQ: LimbBuffer

    /// One of the primes with the order of its squares.
    struct Half: Sendable {
        let modulus: MontgomeryModulus
        let order: LimbBuffer
        let bits: Int

        fileprivate init(prime: BigInteger, order: BigInteger, usesDigits: Bool) {
            modulus = MontgomeryModulus(prime, usesDigits: usesDigits)
            bits = order.bitCount
            self.order = LimbBuffer(order, bits: bits)
        }

        /// The residue of a number below n.
        func residue(of number: BigInteger) -> LimbBuffer {
            modulus.residue(ofWide: LimbBuffer(number, count: 2 * modulus.limbCount))
        }
    }

    /// Prepares two different odd primes above 3; nil if p and q are not coprime.
    ///
    /// With `usesDigits` false, residues are in limbs also where the processor has instructions for digits.
    package init?(p: BigInteger, q: BigInteger, usesDigits: Bool = true) {
        guard p.isOdd, q.isOdd, p > 3, q > 3 else { return nil }
        self.p = p
        self.q = q
        pPrime = p.shiftedRight(by: 1)
        qPrime = q.shiftedRight(by: 1)
        order = pPrime * qPrime
        orderLimbs = LimbBuffer(order, bits: order.bitCount)
        moduloP = Half(prime: p, order: pPrime, usesDigits: usesDigits)
        moduloQ = Half(prime: q, order: qPrime, usesDigits: usesDigits)
        let modulus = moduloP.modulus
        let remainder = LimbBuffer(q, bits: q.bitCount).remainder(dividingBy: modulus.limbs)
        guard let inverse = remainder.inverse(modulo: modulus.limbs) else { return nil }
        inverseOfQ = modulus.residue(ofWide: inverse)
    }

    /// A random square other than 1.
    ///
    /// - Throws: ``IdemixError/Code/randomnessFailed`` for a source of randomness that repeats itself.
    func randomSquare(using randomness: some RandomSource) throws(IdemixError) -> BigInteger {
        let n = p * q
        for _ in 0..<128 {
            let root = try BigInteger.randomUnit(modulo: n, using: randomness)
            let square = (root * root).modulo(n)
            if square != .one { return square }
        }
        throw IdemixError(.randomnessFailed, "no square among 128 draws: the source of randomness repeats itself")
    }

    /// A random exponent below p'·q', which is a unit but for a probability of about 2/√n.
    package func randomExponent(using randomness: some RandomSource) -> LimbBuffer {
        LimbBuffer(BigInteger.random(below: order, using: randomness), count: orderLimbs.count)
    }

    /// The inverse of a public odd number e modulo p'·q', or nil if it does not exist.
    ///
    /// With r = p'·q' mod e and k = −r^-1 mod e it is (1 + k·p'·q')/e: only numbers as short as e are inverted.
    package func inverse(of e: BigInteger) -> LimbBuffer? {
        guard e.isOdd, e > 1 else { return nil }
        let divisor = LimbBuffer(e, bits: e.bitCount)
        guard let inverse = orderLimbs.remainder(dividingBy: divisor).inverse(modulo: divisor) else { return nil }
        let one = LimbBuffer(.one, count: 1)
        let dividend = (divisor - inverse) * orderLimbs + one
        return LimbBuffer(dividend.divided(by: divisor).quotient, count: orderLimbs.count)
    }

    /// (x~ − c·x) mod p'·q', for a challenge of at most 256 bits.
    package func response(randomizer: LimbBuffer, challenge: BigInteger, secret: LimbBuffer) -> BigInteger {
        let product = (LimbBuffer(challenge, bits: 256) * secret).remainder(dividingBy: orderLimbs)
        return randomizer.subtracting(product, modulo: orderLimbs).number
    }

    /// A unit that several powers are computed of.
    package struct Element {
        private let group: FactoredGroup
        private let baseP: FixedBase
        private let baseQ: FixedBase

        fileprivate init(_ number: BigInteger, group: FactoredGroup) {
            self.group = group
            func base(_ half: Half) -> FixedBase {
                FixedBase(
                    residue: half.residue(of: number),
                    modulus: half.modulus,
                    shape: .pair,
                    bits: half.bits + 1,
                    timing: .constant
                )
            }
            baseP = base(group.moduloP)
            baseQ = base(group.moduloQ)
        }

        /// Indicates that the element is a square: modulo p and q, its powers to the orders of the squares are 1.
        package var isSquare: Bool {
            func isSquare(_ base: FixedBase, _ half: Half) -> Bool {
                power(base, half, half.order).isEqual(to: LimbBuffer(.one, count: half.modulus.limbCount))
            }
            let (squareP, squareQ) = (isSquare(baseP, group.moduloP), isSquare(baseQ, group.moduloQ))
            return squareP && squareQ
        }

        /// The power of a square, for an exponent that is not negative and below n.
        package func power(_ exponent: LimbBuffer) -> BigInteger {
            let (halfP, halfQ) = (group.moduloP, group.moduloQ)
            return group.combine(
                power(baseP, halfP, exponent.remainder(dividingBy: halfP.order)),
                power(baseQ, halfQ, exponent.remainder(dividingBy: halfQ.order))
            )
        }

        /// The power to an exponent that is even modulo p and q, which is always a square; for a square it is its power.
        ///
        /// The orders of the squares are odd, so that each exponent or its sum with the order is even.
        package func squarePower(_ exponent: LimbBuffer) -> BigInteger {
            func evenPower(_ base: FixedBase, _ half: Half) -> LimbBuffer {
                power(base, half, exponent.remainder(dividingBy: half.order).addingIfOdd(half.order))
            }
            return group.combine(evenPower(baseP, group.moduloP), evenPower(baseQ, group.moduloQ))
        }

        private func power(_ base: FixedBase, _ half: Half, _ exponent: LimbBuffer) -> LimbBuffer {
            var product = PowerProduct(half.modulus, timing: .constant)
            product.multiply(base, to: exponent, bits: half.bits + 1)
            return half.modulus.reduced(product.residue())
        }
    }

    /// An element of the group, below n, made ready for its powers.
    package func element(_ number: BigInteger) -> Element { Element(number, group: self) }

    /// Returns `true` if base^exponent = power modulo p and modulo q, for a public exponent.
    package func isPower(_ power: BigInteger, of base: BigInteger, _ exponent: BigInteger) -> Bool {
        [moduloP, moduloQ].allSatisfy { half in
            var product = PowerProduct(half.modulus, timing: .constant)
            product.multiply(half.residue(of: base), to: exponent, bits: exponent.bitCount)
            return half.modulus.reduced(product.residue()).isEqual(to: half.modulus.reduced(half.residue(of: power)))
        }
    }

    /// The number below n with given remainders: x_q + q·((x_p − x_q)·q^-1 mod p).
    func combine(_ remainderP: LimbBuffer, _ remainderQ: LimbBuffer) -> BigInteger {
        let modulus = moduloP.modulus
        func timesInverse(_ remainder: LimbBuffer) -> LimbBuffer {
            modulus.reduced(modulus.product(modulus.residue(ofWide: remainder), inverseOfQ))
        }
        let quotient = timesInverse(remainderP).subtracting(timesInverse(remainderQ), modulo: modulus.limbs)
        return (LimbBuffer(q, bits: q.bitCount) * quotient + remainderQ).number
    }
}
