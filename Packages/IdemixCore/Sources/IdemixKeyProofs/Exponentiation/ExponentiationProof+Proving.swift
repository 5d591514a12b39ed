import CryptoCore
import IdemixCore

extension ExponentiationProof {
    /// The secrets of a prover.
    struct Secrets: Sendable {
        fileprivate var bits: [Opening] = []
        /// The exponent that hides Σ e_i·2^i − e.
        fileprivate var bitSumHider: Scalar
        fileprivate var powers: [Opening] = []
        fileprivate var powerRelations: [MultiplicationProof.Secrets] = []
        fileprivate let start: Opening
        /// The results after every bit, the last one too.
        fileprivate var results: [Opening] = []
        fileprivate var steps: [ExponentStepProof.Secrets] = []
    }

    /// The openings of the commitments that a proof is about.
    struct Openings {
        let base: Opening
        let exponent: Opening
        let modulus: Opening
        let result: Opening
    }
}

extension ExponentiationProof.Secrets {
    /// Hides the steps of an exponentiation.
    init(
        _ chain: PowerChain,
        _ openings: ExponentiationProof.Openings,
        _ group: ProofGroup,
        using randomness: some RandomSource
    ) {
        start = Opening(of: LimbBuffer(.one, count: 1), group, using: randomness)
        bitSumHider = group.negated(openings.exponent.hider)
        hideBits(chain, group, using: randomness)
        hidePowers(chain, openings, group, using: randomness)
        hideResults(chain, openings, group, using: randomness)
        hideSteps(chain, openings, group, using: randomness)
    }

    private mutating func hideBits(_ chain: PowerChain, _ group: ProofGroup, using randomness: some RandomSource) {
        let above = Array(repeating: LimbBuffer(.zero, count: 1), count: chain.squares.count - chain.bits.count)
        bits = (chain.bits + above).map { Opening(of: $0, group, using: randomness) }
        let sum = bits.reversed().reduce(group.scalar(.zero)) { sum, bit in
            group.sum(group.sum(sum, sum), bit.hider)
        }
        bitSumHider = group.sum(bitSumHider, sum)
    }

    private mutating func hidePowers(
        _ chain: PowerChain,
        _ openings: ExponentiationProof.Openings,
        _ group: ProofGroup,
        using randomness: some RandomSource
    ) {
        powers = chain.squares.map { Opening(of: $0, group, using: randomness) }
        for position in powers.indices {
            powerRelations.append(
                MultiplicationProof.Secrets(
                    position == 0 ? start : powers[position - 1],
                    position == 0 ? openings.base : powers[position - 1],
                    modulus: openings.modulus,
                    result: powers[position],
                    quotient: chain.squareQuotients[position],
                    group,
                    using: randomness
                )
            )
        }
    }

    /// From the exponent's topmost bit on, which is public, the result stays as it is at the end.
    private mutating func hideResults(
        _ chain: PowerChain,
        _ openings: ExponentiationProof.Openings,
        _ group: ProofGroup,
        using randomness: some RandomSource
    ) {
        let final = Array(repeating: openings.result.value, count: bits.count - 1 - chain.results.count)
        results = (chain.results + final).map { Opening(of: $0, group, using: randomness) }
        results.append(openings.result)
    }

    private mutating func hideSteps(
        _ chain: PowerChain,
        _ openings: ExponentiationProof.Openings,
        _ group: ProofGroup,
        using randomness: some RandomSource
    ) {
        for position in bits.indices {
            let before = position == 0 ? start : results[position - 1]
            let challengeBits = ProofGroup.challengeBits
            steps.append(
                ExponentStepProof.Secrets(
                    bit: bits[position],
                    resultHider: group.difference(before.hider, results[position].hider),
                    factor: powers[position],
                    multiplication: MultiplicationProof.Secrets(
                        powers[position],
                        before,
                        modulus: openings.modulus,
                        result: results[position],
                        // Where the bit is 0, the multiplication is simulated, and any number will do.
                        quotient: position < chain.quotients.count
                            ? chain.quotients[position] : LimbBuffer(.zero, count: 1),
                        group,
                        using: randomness
                    ),
                    simulated: LimbBuffer(.random(bits: challengeBits, using: randomness), bits: challengeBits)
                )
            )
        }
    }
}

extension ExponentiationProof {
    /// Draws the randomizers.
    init(_ secrets: Secrets, bits: Int, _ group: ProofGroup, using randomness: some RandomSource) {
        func proof(_ opening: Opening) -> PedersenProof { PedersenProof(opening, group, using: randomness) }
        func interval() -> IntervalProof { IntervalProof(randomizing: bits, group, using: randomness) }
        self.bits = secrets.bits.map(proof)
        bitSumResponse = .random(below: group.order, using: randomness)
        powers = secrets.powers.map(proof)
        powerIntervals = secrets.powers.map { _ in interval() }
        powerRelations = secrets.powerRelations.map {
            MultiplicationProof($0, bits: bits, group, using: randomness)
        }
        start = proof(secrets.start)
        results = secrets.results.dropLast().map(proof)
        resultIntervals = secrets.results.dropLast().map { _ in interval() }
        steps = zip(secrets.steps, powers).map { step, power in
            ExponentStepProof(step, factor: power.commitment, bits: bits, group, using: randomness)
        }
    }

    /// The proof with responses in the place of its randomizers.
    func responding(to challenge: LimbBuffer, _ secrets: Secrets, bits: Int, _ group: ProofGroup) -> Self {
        func responding(_ proofs: [PedersenProof], _ openings: [Opening]) -> [PedersenProof] {
            zip(proofs, openings).map { $0.responding(to: challenge, $1, group) }
        }
        func responding(_ proofs: [IntervalProof], _ openings: [Opening]) -> [IntervalProof] {
            zip(proofs, openings).map { $0.responding(to: challenge, $1, bits: bits, group) }
        }
        return ExponentiationProof(
            bits: responding(self.bits, secrets.bits),
            bitSumResponse: group.response(bitSumResponse, challenge, secrets.bitSumHider),
            powers: responding(powers, secrets.powers),
            powerIntervals: responding(powerIntervals, secrets.powers),
            powerRelations: zip(powerRelations, secrets.powerRelations).map {
                $0.responding(to: challenge, $1, bits: bits, group)
            },
            start: start.responding(to: challenge, secrets.start, group),
            results: responding(results, secrets.results),
            resultIntervals: responding(resultIntervals, secrets.results),
            steps: zip(steps, secrets.steps).map { $0.responding(to: challenge, $1, bits: bits, group) }
        )
    }
}
