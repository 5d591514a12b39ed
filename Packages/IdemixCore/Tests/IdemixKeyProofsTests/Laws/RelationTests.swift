import CryptoCore
import IdemixCore
import Testing

@testable import IdemixKeyProofs

/// The parts that proofs consist of: the verifier rebuilds the prover's commitments, and does so of no altered part.
@Suite struct RelationTests {
    private let scene: ToyGroup
    private var group: ProofGroup { scene.prover }
    private let bits = ToyGroup.bits

    init() throws {
        scene = try ToyGroup()
    }

    /// Adds one to a number, modulo o.
    private func changed(_ number: BigInteger) -> BigInteger { (number + 1).modulo(group.order) }

    /// A row with a number changed.
    private func changed(_ row: NumberRow, at position: Int, bits: Int) -> NumberRow {
        NumberRow(
            (0..<row.count).map { $0 == position ? LimbBuffer(row[$0].number + 1, bits: bits) : row[$0] },
            bits: bits
        )
    }

    @Test(arguments: [0, 1, 65_535, -1])
    func opensACommitment(value: Int) throws {
        let opening = scene.opening(BigInteger(value))
        let drawn = PedersenProof(opening, group, using: scene.source)
        let proof = drawn.responding(to: scene.challengeLimbs, opening, group)
        let rebuilt = { (proof: PedersenProof) in
            ToyGroup.hash { proof.append(to: &$0, scene.verifier, scene.challenge) }
        }
        let own = ToyGroup.hash { drawn.append(to: &$0, group, .zero) }
        #expect(rebuilt(proof) == own)
        try proof.validate(scene.verifier)
        var altered = proof
        altered.valueResponse = changed(proof.valueResponse)
        #expect(rebuilt(altered) != own)
        altered = proof
        altered.hiderResponse = changed(proof.hiderResponse)
        #expect(rebuilt(altered) != own)
        altered = proof
        altered.commitment = group.quotient([proof.commitment, proof.commitment])
        #expect(rebuilt(altered) != own)
    }

    @Test(arguments: [0, 1, 65_535, -1])
    func boundsANumber(value: Int) throws {
        let opening = scene.opening(BigInteger(value))
        let interval = Interval(base: .g, commitment: scene.commitment(opening), bits: bits)
        let drawn = IntervalProof(randomizing: bits, group, using: scene.source)
        let proof = drawn.responding(to: scene.challengeLimbs, opening, bits: bits, group)
        let rebuilt = { (proof: IntervalProof) in
            ToyGroup.hash { proof.append(to: &$0, interval, scene.verifier, scene.challengeLimbs) }
        }
        let own = ToyGroup.hash { drawn.append(to: &$0, interval, group, LimbBuffer(.zero, bits: 256)) }
        #expect(rebuilt(proof) == own)
        try proof.validate(bits: bits, scene.verifier)
        for round in [0, 41, 79] {
            var altered = proof
            altered.values = changed(proof.values, at: round, bits: Interval.answerBits(bits))
            #expect(rebuilt(altered) != own)
            altered = proof
            altered.hiders = changed(proof.hiders, at: round, bits: group.orderBits)
            #expect(rebuilt(altered) != own)
        }
    }

    @Test func boundsANumberToAnotherBase() throws {
        let base = scene.commitment(scene.opening(7))
        let opening = scene.opening(12_345)
        // X = base^x·h^y.
        let left = group.commitment(
            .one,
            .zero,
            [(.element(base), opening.value.number), (.h, opening.hider.number)]
        )
        let interval = Interval(base: .element(base), commitment: left, bits: bits)
        let drawn = IntervalProof(randomizing: bits, group, using: scene.source)
        let proof = drawn.responding(to: scene.challengeLimbs, opening, bits: bits, group)
        let own = ToyGroup.hash { drawn.append(to: &$0, interval, group, LimbBuffer(.zero, bits: 256)) }
        #expect(ToyGroup.hash { proof.append(to: &$0, interval, scene.verifier, scene.challengeLimbs) } == own)
    }

    @Test func refusesAnswersOutOfTheInterval() throws {
        let longest = BigInteger.powerOfTwo(Interval.answerBits(bits))
        let hiders = NumberRow(
            (0..<IntervalProof.rounds).map { _ in group.scalar(1) },
            bits: group.orderBits
        )
        func proof(_ answer: BigInteger) -> IntervalProof {
            let wide = Interval.answerBits(bits) + 8
            return IntervalProof(
                values: NumberRow((0..<IntervalProof.rounds).map { _ in LimbBuffer(answer, bits: wide) }, bits: wide),
                hiders: hiders
            )
        }
        try proof(longest - 1).validate(bits: bits, group)
        #expect(throws: CheckFault.self) { try proof(longest).validate(bits: bits, group) }
        var short = proof(1)
        short.hiders = NumberRow([group.scalar(1)], bits: group.orderBits)
        #expect(throws: CheckFault.self) { try short.validate(bits: bits, group) }
        var high = proof(1)
        let order = LimbBuffer(group.order, bits: group.orderBits)
        high.hiders = NumberRow((0..<IntervalProof.rounds).map { _ in order }, bits: group.orderBits)
        #expect(throws: CheckFault.self) { try high.validate(bits: bits, group) }
    }

    /// A proof about 300·200 modulo 1009, and what it is about.
    private func multiplication() -> (
        drawn: MultiplicationProof, secrets: MultiplicationProof.Secrets, openings: [Opening]
    ) {
        let openings = [300, 200, 1_009, 60_000 % 1_009].map { scene.opening(BigInteger($0)) }
        let secrets = MultiplicationProof.Secrets(
            openings[0],
            openings[1],
            modulus: openings[2],
            result: openings[3],
            quotient: group.scalar(BigInteger(60_000 / 1_009)),
            group,
            using: scene.source
        )
        return (MultiplicationProof(secrets, bits: bits, group, using: scene.source), secrets, openings)
    }

    @Test func provesAProduct() throws {
        let (drawn, secrets, openings) = multiplication()
        let factor = PedersenProof(openings[0], group, using: scene.source)
        let commitments = openings.map(scene.commitment)
        func hash(
            _ proof: MultiplicationProof,
            _ factorResponse: BigInteger,
            _ commitments: [BigInteger],
            _ group: ProofGroup,
            _ challenge: BigInteger
        ) -> BigInteger {
            ToyGroup.hash {
                proof.append(
                    to: &$0,
                    factorResponse: factorResponse,
                    base: commitments[1],
                    modulus: commitments[2],
                    result: commitments[3],
                    bits: bits,
                    group,
                    challenge
                )
            }
        }
        let own = hash(drawn, factor.valueResponse, commitments, group, .zero)
        let proof = drawn.responding(to: scene.challengeLimbs, secrets, bits: bits, group)
        let response = factor.responding(to: scene.challengeLimbs, openings[0], group).valueResponse
        func rebuilt(_ proof: MultiplicationProof, _ response: BigInteger, _ commitments: [BigInteger]) -> BigInteger {
            hash(proof, response, commitments, scene.verifier, scene.challenge)
        }
        #expect(rebuilt(proof, response, commitments) == own)
        try proof.validate(bits: bits, scene.verifier)
        #expect(rebuilt(proof, changed(response), commitments) != own)
        for position in 1..<4 {
            var others = commitments
            others[position] = commitments[0]
            #expect(rebuilt(proof, response, others) != own)
        }
        var altered = proof
        altered.hiderResponse = changed(proof.hiderResponse)
        #expect(rebuilt(altered, response, commitments) != own)
        altered = proof
        altered.quotient.valueResponse = changed(proof.quotient.valueResponse)
        #expect(rebuilt(altered, response, commitments) != own)
    }

    @Test func stepsWithEitherBit() throws {
        for bit in [0, 1] {
            // 5·7 = 35 modulo 1009 for a bit of 1; 5 stays for 0.
            let openings = [bit, 5, bit == 1 ? 35 : 5, 7, 1_009].map { scene.opening(BigInteger($0)) }
            let secrets = ExponentStepProof.Secrets(
                bit: openings[0],
                resultHider: group.difference(openings[1].hider, openings[2].hider),
                factor: openings[3],
                multiplication: MultiplicationProof.Secrets(
                    openings[3],
                    openings[1],
                    modulus: openings[4],
                    result: openings[2],
                    quotient: group.scalar(.zero),
                    group,
                    using: scene.source
                ),
                simulated: LimbBuffer(.random(bits: 256, using: scene.source), bits: 256)
            )
            let commitments = openings.map(scene.commitment)
            let step = ExponentStep(
                bit: commitments[0],
                before: commitments[1],
                after: commitments[2],
                factor: commitments[3],
                modulus: commitments[4]
            )
            let drawn = ExponentStepProof(
                secrets,
                factor: commitments[3],
                bits: bits,
                group,
                using: scene.source
            )
            let own = ToyGroup.hash { drawn.append(to: &$0, step, bits: bits, group) }
            let proof = drawn.responding(to: scene.challengeLimbs, secrets, bits: bits, group)
            try proof.validate(scene.challenge, bits: bits, scene.verifier)
            func rebuilt(_ proof: ExponentStepProof) -> BigInteger {
                ToyGroup.hash { proof.append(to: &$0, step, bits: bits, scene.verifier) }
            }
            #expect(rebuilt(proof) == own)
            let alterations: [WritableKeyPath<ExponentStepProof, BigInteger>] = [
                \.copying.challenge, \.copying.bitResponse, \.copying.hiderResponse, \.multiplying.challenge,
                \.multiplying.bitResponse, \.multiplying.factor.valueResponse, \.multiplying.factor.hiderResponse,
                \.multiplying.factor.commitment, \.multiplying.multiplication.hiderResponse,
            ]
            for alteration in alterations {
                var altered = proof
                altered[keyPath: alteration] = changed(proof[keyPath: alteration])
                #expect(rebuilt(altered) != own)
            }
            #expect(throws: CheckFault.self) {
                try proof.validate(scene.challenge + 1, bits: bits, scene.verifier)
            }
        }
    }
}
