import CryptoCore
import IdemixCore

extension PrimalityProof {
    /// The secrets of a prover, and the proof with the randomizers in the place of responses.
    struct Prover: Sendable {
        private let half: Opening
        private let share: Opening
        private let base: Opening
        private let negativeBase: Opening
        private let power: Opening
        private let negativePower: Opening
        private let quotient: Opening
        /// 1 if the power of a is −1.
        private let isMinusOne: LimbBuffer
        /// The challenge of the simulated alternative.
        private let simulated: LimbBuffer
        private let exponentiation: ExponentiationProof.Secrets
        private let negativeExponentiation: ExponentiationProof.Secrets
        /// The proof before its challenge is known.
        let proof: PrimalityProof
    }
}

extension PrimalityProof.Prover {
    /// Hides a prime of one bit less than the given number.
    ///
    /// - Parameters:
    ///   - prime: The prime's opening.
    ///   - bits: The largest length of the prime.
    /// - Throws: `IdemixError.Code.unprovableStatement` for a number that is not prime,
    ///   `IdemixError.Code.randomnessFailed`.
    init(
        _ prime: Opening,
        bits: Int,
        _ group: ProofGroup,
        using randomness: some RandomSource
    ) throws(IdemixError) {
        func opening(_ value: LimbBuffer) -> Opening { Opening(of: value, group, using: randomness) }
        let m = LimbBuffer(prime.value, count: (bits - 1 + 63) / 64)
        let halfNumber = LimbBuffer(m.number.shiftedRight(by: 1), count: m.count)
        func chain(_ base: LimbBuffer) -> PowerChain {
            PowerChain(base, halfNumber, exponentBits: bits - 2, count: bits, modulo: m)
        }
        half = opening(halfNumber)
        share = opening(LimbBuffer(.random(below: m.number, using: randomness), count: m.count))
        let shareProof = PedersenProof(share, group, using: randomness)
        let hash = HashNumber.number(of: [shareProof.commitment], index: 0, bits: bits)
        let sum = LimbBuffer(share.value, count: m.count) + LimbBuffer(hash, bits: max(1, hash.bitCount))
        let (quotientNumber, baseNumber) = sum.divided(by: m)
        base = opening(baseNumber)
        let chainOfBase = chain(baseNumber)
        guard (chainOfBase.isOne ^ chainOfBase.isMinusOne).number == .one else {
            throw IdemixError(.unprovableStatement, "p' or q' is not prime")
        }
        isMinusOne = chainOfBase.isMinusOne
        let (negativeNumber, negativeChain) = try Self.negative(m, chain, using: randomness)
        negativeBase = opening(negativeNumber)
        let one = group.scalar(.one)
        power = opening(.choose(isMinusOne, group.negated(one), one))
        negativePower = opening(group.negated(one))
        // share + hash = a + quotient·p.
        let hidden = group.product(quotientNumber, prime.hider)
        quotient = Opening(
            value: LimbBuffer(quotientNumber, count: group.limbCount),
            hider: group.difference(group.difference(share.hider, base.hider), hidden)
        )
        simulated = LimbBuffer(
            .random(bits: ProofGroup.challengeBits, using: randomness),
            bits: ProofGroup.challengeBits
        )
        exponentiation = ExponentiationProof.Secrets(
            chainOfBase,
            .init(base: base, exponent: half, modulus: prime, result: power),
            group,
            using: randomness
        )
        negativeExponentiation = ExponentiationProof.Secrets(
            negativeChain,
            .init(base: negativeBase, exponent: half, modulus: prime, result: negativePower),
            group,
            using: randomness
        )
        func proof(_ opening: Opening) -> PedersenProof { PedersenProof(opening, group, using: randomness) }
        func interval() -> IntervalProof { IntervalProof(randomizing: bits, group, using: randomness) }
        func response() -> BigInteger { .random(below: group.order, using: randomness) }
        let isOne = isMinusOne ^ LimbBuffer(.one, count: 1)
        self.proof = PrimalityProof(
            half: proof(half),
            share: shareProof,
            base: proof(base),
            negativeBase: proof(negativeBase),
            power: proof(power),
            negativePower: proof(negativePower),
            quotientResponse: response(),
            shareHiderResponse: response(),
            plusOne: .init(challenge: (isMinusOne * simulated).number, response: response()),
            minusOne: .init(challenge: (isOne * simulated).number, response: response()),
            shareInterval: interval(),
            baseInterval: interval(),
            negativeBaseInterval: interval(),
            quotientInterval: interval(),
            exponentiation: ExponentiationProof(exponentiation, bits: bits, group, using: randomness),
            negativeExponentiation: ExponentiationProof(
                negativeExponentiation,
                bits: bits,
                group,
                using: randomness
            )
        )
    }

    /// A number whose power is −1: every second one below a prime.
    private static func negative(
        _ m: LimbBuffer,
        _ chain: (LimbBuffer) -> PowerChain,
        using randomness: some RandomSource
    ) throws(IdemixError) -> (LimbBuffer, PowerChain) {
        for _ in 0..<256 {
            let number = LimbBuffer(.random(below: m.number, using: randomness), count: m.count)
            let chain = chain(number)
            if chain.isMinusOne.number == .one { return (number, chain) }
        }
        throw IdemixError(.randomnessFailed, "no number without a root among 256 draws")
    }

    /// The proof with responses in the place of its randomizers.
    func responding(to challenge: LimbBuffer, bits: Int, _ group: ProofGroup) -> PrimalityProof {
        func respond(_ proof: inout IntervalProof, _ opening: Opening) {
            proof = proof.responding(to: challenge, opening, bits: bits, group)
        }
        func respond(_ proof: inout PedersenProof, _ opening: Opening) {
            proof = proof.responding(to: challenge, opening, group)
        }
        func respond(_ alternative: inout PrimalityProof.Alternative, _ isTrue: LimbBuffer) {
            let open = simulated ^ challenge
            alternative.challenge = (simulated ^ (isTrue * challenge)).number
            alternative.response = group.response(alternative.response, isTrue * open, power.hider)
        }
        var proof = proof
        respond(&proof.half, half)
        respond(&proof.share, share)
        respond(&proof.base, base)
        respond(&proof.negativeBase, negativeBase)
        respond(&proof.power, power)
        respond(&proof.negativePower, negativePower)
        proof.quotientResponse = group.response(proof.quotientResponse, challenge, quotient.value)
        proof.shareHiderResponse = group.response(proof.shareHiderResponse, challenge, quotient.hider)
        respond(&proof.plusOne, isMinusOne ^ LimbBuffer(.one, count: 1))
        respond(&proof.minusOne, isMinusOne)
        respond(&proof.shareInterval, share)
        respond(&proof.baseInterval, base)
        respond(&proof.negativeBaseInterval, negativeBase)
        respond(&proof.quotientInterval, quotient)
        proof.exponentiation = proof.exponentiation.responding(
            to: challenge,
            exponentiation,
            bits: bits,
            group
        )
        proof.negativeExponentiation = proof.negativeExponentiation.responding(
            to: challenge,
            negativeExponentiation,
            bits: bits,
            group
        )
        return proof
    }
}
