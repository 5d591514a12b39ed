import CryptoCore
import Foundation
import IdemixCore
import Testing

@testable import IdemixKeyProofs

/// Proofs with one alteration each, and the check that refuses them.
@Suite struct AlteredProofTests {
    private func refusal(
        policy: KeyProofPolicy = KeyProofPolicy(),
        _ alter: (inout KeyProof) throws -> Void
    ) async throws -> Verification<KeyStatement> {
        var proof = try await ToyKey.proof.value
        try alter(&proof)
        return try await proof.verify(ToyKey.statement(), policy: policy, at: ToyKey.time)
    }

    @Test func refusesAProofOfAnotherKey() async throws {
        let proof = try await ToyKey.proof.value
        let n = ToyKey.p * ToyKey.q
        let others = [
            (try KeyStatement(n: n, bases: [9, 4, 123_454_321]), Check.challenge),
            (try KeyStatement(n: n, bases: [4, 9]), .structure),
            (try KeyStatement(n: n + 8, bases: ToyKey.bases), .modulusForm),
        ]
        for (statement, check) in others {
            let answer = try await proof.verify(statement, at: ToyKey.time)
            #expect(answer.refusal?.check == check, "\(answer.checks)")
        }
    }

    @Test func refusesAnotherGroup() async throws {
        let known = try #require(GroupPrime.knownPrime(modulusBits: 200))
        for prime in [known, 0, 4] {
            let answer = try await refusal { $0.groupPrime = prime }
            #expect(answer.refusal?.check == .structure)
        }
        // Of the right length, and no safe prime.
        let answer = try await refusal { $0.groupPrime = $0.groupPrime + 2 }
        #expect(answer.refusal?.check == .structure)
    }

    @Test func refusesNumbersOutOfTheirRanges() async throws {
        let n = ToyKey.p * ToyKey.q
        let alterations: [(Check, (inout KeyProof, BigInteger) -> Void)] = [
            (.structure, { $0.p.valueResponse = $1 }), (.structure, { $0.productResponse = $1 }),
            (.structure, { proof, _ in proof.modulus.responses[7] = n }),
            (.structure, { proof, _ in proof.modulus.commitments[249] = n }),
            (.pPrimePrimality, { $0.pPrimePrimality.quotientResponse = $1 }),
            (.pPrimePrimality, { $0.pPrimePrimality.plusOne.response = $1 }),
            (.qPrimePrimality, { $0.qPrimePrimality.exponentiation.bitSumResponse = $1 }),
            (.qPrimePrimality, { $0.qPrimePrimality.negativeExponentiation.steps[3].copying.bitResponse = $1 }),
            (.bases, { $0.squares.relations[0].hiderResponse = $1 }),
        ]
        for (check, alter) in alterations {
            let answer = try await refusal { proof in
                alter(&proof, proof.groupPrime.shiftedRight(by: 1))
            }
            #expect(answer.refusal?.check == check, "\(answer.checks)")
            #expect(answer.refusal?.reason == .invalidProof)
        }
    }

    @Test func refusesNumbersThatAreNoElements() async throws {
        let answers = [
            try await refusal { $0.p.commitment = 0 },
            try await refusal { $0.p.commitment = $0.groupPrime },
            // −1 is not a square modulo Γ, so the negative of a square is not one either.
            try await refusal { $0.p.commitment = $0.groupPrime - $0.p.commitment },
        ]
        for answer in answers { #expect(answer.refusal?.check == .structure) }
    }

    @Test func refusesAlternativesWhoseChallengesDoNotCombine() async throws {
        let first = try await refusal {
            $0.pPrimePrimality.minusOne.challenge = $0.pPrimePrimality.minusOne.challenge + 1
        }
        #expect(first.refusal?.check == .pPrimePrimality)
        let second = try await refusal {
            $0.qPrimePrimality.exponentiation.steps[0].multiplying.challenge = 1
        }
        #expect(second.refusal?.check == .qPrimePrimality)
    }

    @Test func refusesStepsThatAreNotBoundToTheBase() async throws {
        func unbind(_ proof: inout KeyProof) {
            let other = proof.p.commitment
            proof.pPrimePrimality.exponentiation.steps[2].multiplying.factor.commitment = other
        }
        let strict = try await refusal(unbind)
        #expect(strict.refusal?.check == .boundStepFactors)
        #expect(strict.refusal?.reason == .unboundStepFactors)
        // The tolerance names what it lets pass; this alteration fails all the same.
        let tolerant = try await refusal(policy: .gabi, unbind)
        #expect(tolerant.refusal?.check == .challenge)
        #expect(tolerant.deviations.map(\.tolerance) == ["unboundStepFactors"])
        guard case .waived("stepFactors", _)? = tolerant.results(of: .boundStepFactors).first?.outcome else {
            Issue.record("\(tolerant.checks)")
            return
        }
    }

    @Test func refusesAnotherChallenge() async throws {
        // Without alternatives to combine, the hash itself decides.
        let answer = try await refusal { $0.squares.modulus.valueResponse = $0.squares.modulus.hiderResponse }
        #expect(answer.refusal?.check == .challenge)
        #expect(answer.refusal?.reason == .invalidProof)
    }

    @Test func refusesEachAlteredRound() throws {
        let n = ToyKey.p * ToyKey.q
        let proof = try ModulusRounds.proof()
        try proof.checkAll(n, ModulusRounds.challenge)
        for round in 0..<ModulusProof.rootRounds {
            var altered = proof
            altered.squareFree[round] = (altered.squareFree[round] + 1).modulo(n)
            altered.disjointPrimes[round] = (altered.disjointPrimes[round] + 1).modulo(n)
            #expect(throws: CheckFault.self) { try altered.checkSquareFree(n, ModulusRounds.challenge) }
            #expect(throws: CheckFault.self) { try altered.checkDisjointPrimes(n, ModulusRounds.challenge) }
        }
        for round in stride(from: 0, to: ModulusProof.primePowerRounds, by: 7) {
            var altered = proof
            altered.primePowers[round] = (altered.primePowers[round] + 1).modulo(n)
            #expect(throws: CheckFault.self) { try altered.checkPrimePowers(n, ModulusRounds.challenge) }
        }
        for round in stride(from: 0, to: ModulusProof.almostSafeRounds, by: 31) {
            var altered = proof
            altered.responses[round] = (altered.responses[round] + 1).modulo(n)
            #expect(throws: CheckFault.self) { try altered.checkAlmostSafePrimes(n, ModulusRounds.challenge) }
            altered = proof
            altered.commitments[round] = (altered.commitments[round] * 2).modulo(n)
            #expect(throws: CheckFault.self) { try altered.checkAlmostSafePrimes(n, ModulusRounds.challenge) }
        }
        var altered = proof
        altered.nonce = altered.nonce + 1
        #expect(throws: CheckFault.self) { try altered.checkAlmostSafePrimes(n, ModulusRounds.challenge) }
    }

    @Test(arguments: [(3, 5), (1_021, 1_009 * 8), (1, 1 << 20 + 5)])
    func refusesAModulusWithASmallFactor(factor: Int, other: Int) throws {
        #expect(throws: CheckFault.self) { try ModulusProof.checkForm(BigInteger(factor) * BigInteger(other)) }
    }

    @Test func refusesAPrimeModulus() throws {
        let proof = try ModulusRounds.proof()
        #expect(throws: CheckFault.self) { try proof.checkDisjointPrimes(1_048_573, ModulusRounds.challenge) }
    }
}

/// The proofs about the modulus of the toy key, under a challenge of their own.
enum ModulusRounds {
    static let challenge = BigInteger(bytes: Array(40...71) as [UInt8])

    static func proof() throws -> ModulusProof {
        let factors = try #require(FactoredGroup(p: ToyKey.p, q: ToyKey.q))
        let halves = try #require(FactoredGroup(p: ToyKey.p.shiftedRight(by: 1), q: ToyKey.q.shiftedRight(by: 1)))
        let n = ToyKey.p * ToyKey.q
        let source = ToyKey.source(9)
        return try ModulusProof.Prover(factors, halves, n: n, using: source).responding(to: challenge, using: source)
    }
}

extension ModulusProof {
    fileprivate func checkAll(_ n: BigInteger, _ challenge: BigInteger) throws {
        try checkSquareFree(n, challenge)
        try checkPrimePowers(n, challenge)
        try checkDisjointPrimes(n, challenge)
        try checkAlmostSafePrimes(n, challenge)
    }
}
