import CryptoCore
import IdemixCore
import Testing

@testable import IdemixKeyProofs

/// A proof does not tell which alternative of a step is simulated.
///
/// That would be the bits of p' and q'.
@Suite struct HidingTests {
    private func steps() async throws -> [(proof: ExponentiationProof, step: ExponentStepProof, position: Int)] {
        let proof = try await ToyKey.proof.value
        return [proof.pPrimePrimality, proof.qPrimePrimality].flatMap { primality in
            [primality.exponentiation, primality.negativeExponentiation].flatMap { exponentiation in
                exponentiation.steps.enumerated().map { (exponentiation, $0.element, $0.offset) }
            }
        }
    }

    @Test func commitsToTheFactorInEveryStep() async throws {
        for (proof, step, position) in try await steps() {
            #expect(step.multiplying.factor.commitment == proof.powers[position].commitment)
        }
    }

    @Test func simulatesAnswersOfTheSameRange() async throws {
        let least = BigInteger.powerOfTwo(16 + GroupPrime.hidingBits)
        for (_, step, _) in try await steps() {
            let answers = step.multiplying.multiplication.interval.values.numbers
            // Up to the secret, which is far shorter.
            #expect(answers.allSatisfy { $0 > least - .powerOfTwo(17) && $0 < least + least + least + 2 })
        }
    }

    @Test func challengesOfBothAlternativesAreRandom() async throws {
        for (_, step, _) in try await steps() {
            #expect(step.copying.challenge.bitCount > 200)
            #expect(step.multiplying.challenge.bitCount > 200)
        }
    }

    @Test func noTwoProofsShareANumber() async throws {
        let group = try ToyGroup()
        let opening = group.opening(5)
        let first = IntervalProof(randomizing: 16, group.prover, using: group.source)
        let second = IntervalProof(randomizing: 16, group.prover, using: group.source)
        let answers = [first, second].flatMap {
            $0.responding(to: group.challengeLimbs, opening, bits: 16, group.prover).values.numbers
        }
        #expect(Set(answers).count == 2 * IntervalProof.rounds)
    }
}
