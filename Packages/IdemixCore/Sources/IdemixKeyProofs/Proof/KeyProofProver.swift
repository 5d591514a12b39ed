import CryptoCore
import IdemixCore

extension KeyProof {
    /// The secrets of a prover, and the proof with the randomizers in the place of responses.
    struct Prover: Sendable {
        private let statement: KeyStatement
        private let group: ProofGroup
        private let pPrime: Opening
        private let qPrime: Opening
        private let p: Opening
        private let q: Opening
        /// The exponent that hides in n = p·q.
        private let productHider: Scalar
        private let primality: [PrimalityProof.Prover]
        private let modulus: ModulusProof.Prover
        private let squares: SquaresProof.Prover
        private let proof: KeyProof
    }
}

extension KeyProof.Prover {
    /// Hides everything about two primes that the proof needs.
    ///
    /// - Throws: `IdemixError.Code.unprovableStatement`, `IdemixError.Code.randomnessFailed`,
    ///   `IdemixError.Code.cancelled`.
    init(
        _ statement: KeyStatement,
        p: BigInteger,
        q: BigInteger,
        _ prime: BigInteger,
        _ work: KeyProofWork,
        using randomness: some RandomSource
    ) async throws(IdemixError) {
        let bits = statement.shape.primeBits
        let halves = (p: p.shiftedRight(by: 1), q: q.shiftedRight(by: 1))
        guard let factors = FactoredGroup(p: p, q: q), let halfFactors = FactoredGroup(p: halves.p, q: halves.q) else {
            throw IdemixError(.unprovableStatement, "the primes are not two different odd ones")
        }
        self.statement = statement
        let group = ProofGroup(prime: prime, timing: .constant)
        self.group = group
        func opening(_ number: BigInteger) -> Opening {
            Opening(of: group.scalar(number), group, using: randomness)
        }
        let openings = [opening(halves.p), opening(halves.q)]
        (pPrime, qPrime) = (openings[0], openings[1])
        (self.p, self.q) = (opening(p), opening(q))
        // n = p·q and P = g^p·h^y_p give P^q = g^n·h^(y_p·q).
        productHider = group.product(self.p.hider, self.q.value)
        let primality = try await work.pool.map(count: 2) { index in
            Result { () throws(IdemixError) in
                try PrimalityProof.Prover(openings[index], bits: bits, group, using: randomness)
            }
        }
        self.primality = [try primality[0].get(), try primality[1].get()]
        modulus = ModulusProof.Prover(factors, halfFactors, n: statement.n, using: randomness)
        squares = try SquaresProof.Prover(statement, factors, group, using: randomness)
        func proof(_ opening: Opening) -> PedersenProof { PedersenProof(opening, group, using: randomness) }
        self.proof = KeyProof(
            shape: statement.shape,
            groupPrime: prime,
            pPrime: proof(pPrime),
            qPrime: proof(qPrime),
            p: proof(self.p),
            q: proof(self.q),
            productResponse: .random(below: group.order, using: randomness),
            pPrimePrimality: self.primality[0].proof,
            qPrimePrimality: self.primality[1].proof,
            modulus: modulus.proof,
            squares: squares.proof
        )
    }

    /// Computes the challenge, and responds to it.
    func prove(_ work: KeyProofWork, using randomness: some RandomSource) async throws(IdemixError) -> KeyProof {
        let hash = try await work.hash(proof.parts(statement, group, .zero))
        work.begin(.conclusion, count: 1)
        let challenge = LimbBuffer(hash, bits: ProofGroup.challengeBits)
        var proof = proof
        proof.challenge = hash
        proof.pPrime = proof.pPrime.responding(to: challenge, pPrime, group)
        proof.qPrime = proof.qPrime.responding(to: challenge, qPrime, group)
        proof.p = proof.p.responding(to: challenge, p, group)
        proof.q = proof.q.responding(to: challenge, q, group)
        proof.productResponse = group.response(proof.productResponse, challenge, productHider)
        let bits = proof.shape.primeBits
        proof.pPrimePrimality = primality[0].responding(to: challenge, bits: bits, group)
        proof.qPrimePrimality = primality[1].responding(to: challenge, bits: bits, group)
        proof.modulus = try modulus.responding(to: hash, using: randomness)
        proof.squares = squares.responding(to: challenge, group)
        return proof
    }
}
