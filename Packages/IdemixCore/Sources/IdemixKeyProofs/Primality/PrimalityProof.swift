import CryptoCore
import IdemixCore

/// A proof that the number p in a commitment is prime, if it is known to be a power of a prime.
///
/// The prover shows a^((p − 1)/2) = ±1 for an a that the hash takes part in choosing, and a number whose power is −1. A power of
/// a prime with an exponent above 1 has few such a (Camenisch and Michels, section 5.2).
struct PrimalityProof: Sendable {
    /// The commitment to (p − 1)/2.
    var half = PedersenProof()
    /// The prover's share of a.
    var share = PedersenProof()
    /// The commitment to a = share + hash modulo p.
    var base = PedersenProof()
    /// The number whose power is −1.
    var negativeBase = PedersenProof()
    /// The power of a.
    var power = PedersenProof()
    /// The commitment to −1.
    var negativePower = PedersenProof()
    /// The response for the quotient of (share + hash)/p.
    var quotientResponse = BigInteger.zero
    /// The response for the exponent that hides in the relation of share, hash, quotient and a.
    var shareHiderResponse = BigInteger.zero
    /// The alternative of a power of 1.
    var plusOne = Alternative()
    /// The alternative of a power of −1.
    var minusOne = Alternative()
    var shareInterval = IntervalProof()
    var baseInterval = IntervalProof()
    var negativeBaseInterval = IntervalProof()
    var quotientInterval = IntervalProof()
    var exponentiation = ExponentiationProof()
    var negativeExponentiation = ExponentiationProof()

    /// One of the values that the power of a may have.
    struct Alternative: Sendable {
        var challenge = BigInteger.zero
        /// The response for the exponent that hides the power.
        var response = BigInteger.zero
    }

    /// The names of the secrets in the JSON.
    struct Name {
        private let own: String
        let share: String
        let base: String
        let negativeBase: String
        let quotient: String
        let shareHider: String
        let exponentiation: ExponentiationProof.Name
        let negativeExponentiation: ExponentiationProof.Name

        init(of prime: String, bitCount: Int) {
            own = prime + "_primeproof"
            share = own + "_prea"
            base = own + "_a"
            negativeBase = own + "_aneg"
            quotient = own + "_preamod"
            shareHider = own + "_preahider"
            exponentiation = .init(
                base: base,
                exponent: own + "_halfp",
                modulus: prime,
                result: own + "_ares",
                bitCount: bitCount
            )
            negativeExponentiation = .init(
                base: negativeBase,
                exponent: own + "_halfp",
                modulus: prime,
                result: own + "_anegres",
                bitCount: bitCount
            )
        }
    }
}

// The commitments.
extension PrimalityProof {
    /// The parts of the hash for a prime in a commitment, in their order.
    func parts(
        _ prime: PedersenProof,
        bits: Int,
        _ group: ProofGroup,
        _ challenge: BigInteger
    ) -> [HashJob] {
        let bounds = LimbBuffer(challenge, bits: ProofGroup.challengeBits)
        func interval(_ proof: IntervalProof, _ commitment: BigInteger) -> HashJob {
            let interval = Interval(base: .g, commitment: commitment, bits: bits)
            return HashJob { proof.append(to: &$0, interval, group, bounds) }
        }
        func exponentiation(_ proof: ExponentiationProof, _ base: PedersenProof, _ power: PedersenProof) -> [HashJob] {
            let statement = Exponentiation(
                base: base.commitment,
                exponent: half.commitment,
                modulus: prime.commitment,
                result: power.commitment
            )
            return proof.parts(statement, bits: bits, group, challenge)
        }
        var jobs = [share, base, negativeBase, power, negativePower, half].map { proof in
            HashJob { proof.append(to: &$0, group, challenge) }
        }
        jobs.append(HashJob { $0.append(halfRelation(prime, group, challenge)) })
        jobs.append(interval(shareInterval, share.commitment))
        jobs.append(interval(baseInterval, base.commitment))
        jobs.append(interval(negativeBaseInterval, negativeBase.commitment))
        jobs.append(HashJob { appendShareRelation(to: &$0, prime, bits: bits, group, challenge) })
        jobs.append(HashJob { appendPowerRelations(to: &$0, group, challenge) })
        jobs += exponentiation(self.exponentiation, base, power)
        jobs += exponentiation(negativeExponentiation, negativeBase, negativePower)
        return jobs
    }

    /// P·H^-2·g^-1 = h^(y_P − 2·y_H).
    private func halfRelation(_ prime: PedersenProof, _ group: ProofGroup, _ challenge: BigInteger) -> BigInteger {
        group.commitment(
            group.quotient([prime.commitment], [half.commitment, half.commitment, group.powerOfG(1)]),
            challenge,
            [(.h, prime.hiderResponse), (.h, group.negative(half.hiderResponse, times: 2))]
        )
    }

    /// Share·g^hash·A^-1 = P^quotient·h^y, and the interval of the quotient in the same relation.
    private func appendShareRelation(
        to part: inout FiatShamirPart,
        _ prime: PedersenProof,
        bits: Int,
        _ group: ProofGroup,
        _ challenge: BigInteger
    ) {
        let hash = HashNumber.number(of: [share.commitment], index: 0, bits: bits)
        let left = group.quotient([share.commitment, group.powerOfG(hash)], [base.commitment])
        let primeBase = ProofGroup.Base.element(prime.commitment)
        part.append(
            group.commitment(left, challenge, [(primeBase, quotientResponse), (.h, shareHiderResponse)])
        )
        quotientInterval.append(
            to: &part,
            Interval(base: primeBase, commitment: left, bits: bits),
            group,
            LimbBuffer(challenge, bits: ProofGroup.challengeBits)
        )
    }

    /// The power that is −1, then the alternatives of the other: N·g = h^y, R·g^-1 = h^y, R·g = h^y.
    private func appendPowerRelations(
        to part: inout FiatShamirPart,
        _ group: ProofGroup,
        _ challenge: BigInteger
    ) {
        let generator = group.powerOfG(1)
        let isNegative = group.quotient([negativePower.commitment, generator])
        part.append(group.commitment(isNegative, challenge, [(.h, negativePower.hiderResponse)]))
        let isOne = group.quotient([power.commitment], [generator])
        part.append(group.commitment(isOne, plusOne.challenge, [(.h, plusOne.response)]))
        let isMinusOne = group.quotient([power.commitment, generator])
        part.append(group.commitment(isMinusOne, minusOne.challenge, [(.h, minusOne.response)]))
    }

    /// Refuses numbers that no honest prover sends.
    func validate(_ challenge: BigInteger, bits: Int, _ group: ProofGroup) throws(CheckFault) {
        for proof in [half, share, base, negativeBase, power, negativePower] { try proof.validate(group) }
        try group.validate(
            scalars: [quotientResponse, shareHiderResponse, plusOne.response, minusOne.response]
        )
        try requireCombination(plusOne.challenge, minusOne.challenge, challenge)
        for proof in [shareInterval, baseInterval, negativeBaseInterval, quotientInterval] {
            try proof.validate(bits: bits, group)
        }
        try exponentiation.validate(challenge, bits: bits, group)
        try negativeExponentiation.validate(challenge, bits: bits, group)
    }

    /// The number of steps whose factor is in another commitment than the power of the base.
    var unboundStepCount: Int { exponentiation.unboundStepCount + negativeExponentiation.unboundStepCount }
}
