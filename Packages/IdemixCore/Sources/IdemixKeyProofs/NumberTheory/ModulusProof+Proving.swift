import CryptoCore
import IdemixCore

extension ModulusProof {
    /// The secrets of a prover, and the commitments.
    struct Prover: Sendable {
        private let n: BigInteger
        private let factors: FactoredGroup
        /// The group with p' and q' in the place of p and q.
        private let halves: FactoredGroup
        private let modulus: MontgomeryModulus
        private let logarithms: [LimbBuffer]
        /// The proof before its challenge is known.
        let proof: ModulusProof
    }
}

extension ModulusProof.Prover {
    /// Draws the randomizers.
    init(_ factors: FactoredGroup, _ halves: FactoredGroup, n: BigInteger, using randomness: some RandomSource) {
        self.n = n
        self.factors = factors
        self.halves = halves
        let modulus = MontgomeryModulus(n)
        self.modulus = modulus
        let nonce = BigInteger.random(bits: ModulusProof.nonceBits, using: randomness)
        // A multiple of the order, nearly: the excess hides what the numbers below it lack.
        let logarithms = (0..<ModulusProof.almostSafeRounds).map { _ in
            LimbBuffer(.random(bits: n.bitCount + Self.excess, using: randomness), bits: n.bitCount + Self.excess)
        }
        self.logarithms = logarithms
        proof = ModulusProof(
            nonce: nonce,
            commitments: logarithms.enumerated().map { round, logarithm in
                let base = ModulusProof.base(nonce, round, n: n)
                return Self.power(base, logarithm, modulus)
            }
        )
    }

    /// The number of bits by which a logarithm is longer than the order of a base.
    private static let excess = 128

    private static func power(_ base: BigInteger, _ exponent: LimbBuffer, _ modulus: MontgomeryModulus) -> BigInteger {
        var product = PowerProduct(modulus, timing: .constant)
        product.multiply(modulus.residue(of: base), to: exponent.number, bits: 64 * exponent.count)
        return product.value()
    }

    /// The proof with its responses.
    ///
    /// - Throws: `IdemixError.Code.unprovableStatement` for primes without the properties of safe ones.
    func responding(to challenge: BigInteger, using randomness: some RandomSource) throws(IdemixError) -> ModulusProof {
        var proof = proof
        proof.squareFree = try roots(.squareFree, exponent: n, challenge)
        proof.disjointPrimes = try roots(
            .disjointPrimes,
            exponent: ModulusProof.oddPart(ofPredecessorOf: n),
            challenge
        )
        let none = LimbBuffer(.zero, count: 1)
        for round in 0..<ModulusProof.primePowerRounds {
            let x = ModulusProof.challenge(challenge, .primePowers, round, n: n)
            let multipliers = [1, n - 1, 2, n - 2]
            proof.primePowers.append(
                try required(factors.squareRoot(of: x, times: multipliers, negates: (none, none)))
            )
        }
        let order = halves.p * halves.q
        // The inverse of 2.
        let half = (order + 1).shiftedRight(by: 1)
        let orderLimbs = LimbBuffer(order, bits: order.bitCount)
        for (round, logarithm) in logarithms.enumerated() {
            let exponent = ModulusProof.exponent(challenge, round, n: n)
            let x = (logarithm + LimbBuffer(exponent, bits: max(1, exponent.bitCount)))
                .remainder(dividingBy: orderLimbs)
            // Any of the four roots, so that the response does not depend on how it was found.
            let negates = (randomBit(using: randomness), randomBit(using: randomness))
            let multipliers = [1, order - 1, half, order - half]
            proof.responses.append(
                try required(halves.squareRoot(of: x.number, times: multipliers, negates: negates))
            )
        }
        return proof
    }

    private func randomBit(using randomness: some RandomSource) -> LimbBuffer {
        LimbBuffer(.random(bits: 1, using: randomness), count: 1)
    }

    /// x^(1/e) for the challenges x of a topic.
    private func roots(
        _ topic: ModulusProof.Topic,
        exponent e: BigInteger,
        _ challenge: BigInteger
    ) throws(IdemixError) -> [BigInteger] {
        // The inverse of e modulo p'·q', made odd: with that it is the inverse modulo φ(n) as well.
        let order = LimbBuffer(factors.order, bits: factors.order.bitCount)
        let reduced = LimbBuffer(e, bits: e.bitCount).remainder(dividingBy: order)
        guard let inverse = reduced.inverse(modulo: order) else {
            throw IdemixError(.unprovableStatement, "n or n − 1 shares a factor with p' or q'")
        }
        let room = LimbBuffer(inverse, count: order.count + 1)
        let exponent = room.addingIfOdd(LimbBuffer(order, count: room.count)) + order
        return (0..<ModulusProof.rootRounds).map { round in
            Self.power(ModulusProof.challenge(challenge, topic, round, n: n), exponent, modulus)
        }
    }

    private func required(_ root: BigInteger?) throws(IdemixError) -> BigInteger {
        guard let root else {
            throw IdemixError(.unprovableStatement, "a challenge has no root: the primes have other residues modulo 8")
        }
        return root
    }
}
