import CryptoCore
import IdemixCore

/// The checks of a ``KeyProof``.
struct KeyProofVerifier {
    let proof: KeyProof
    let statement: KeyStatement
    let policy: KeyProofPolicy

    /// For checks of numbers alone; only ``ProofGroup/contains(_:)`` and the order are used.
    private let group: ProofGroup?

    init(proof: KeyProof, statement: KeyStatement, policy: KeyProofPolicy) {
        self.proof = proof
        self.statement = statement
        self.policy = policy
        let isAcceptable =
            proof.shape == statement.shape
            && GroupPrime.isAcceptable(proof.groupPrime, modulusBits: statement.n.bitCount, using: .system)
        group = isAcceptable ? ProofGroup(prime: proof.groupPrime, timing: .variable) : nil
    }

    /// Makes a check of the numbers.
    func make(_ check: Check) throws(CheckFault) {
        let (n, challenge, bits) = (statement.n, proof.challenge, statement.shape.primeBits)
        let group = try requireGroup()
        switch check {
        case .structure: try checkStructure(group)
        case .modulusForm: try ModulusProof.checkForm(n)
        case .pPrimePrimality: try proof.pPrimePrimality.validate(challenge, bits: bits, group)
        case .qPrimePrimality: try proof.qPrimePrimality.validate(challenge, bits: bits, group)
        case .bases: try proof.squares.validate(bits: n.bitCount, group)
        case .squareFree: try proof.modulus.checkSquareFree(n, challenge)
        case .primePowers: try proof.modulus.checkPrimePowers(n, challenge)
        case .disjointPrimes: try proof.modulus.checkDisjointPrimes(n, challenge)
        case .almostSafePrimes: try proof.modulus.checkAlmostSafePrimes(n, challenge)
        default: throw .unavailable(.operationFailed, "there is no such check")
        }
    }

    private func requireGroup() throws(CheckFault) -> ProofGroup {
        guard let group else {
            throw .failed(
                .malformed,
                proof.shape == statement.shape
                    ? "the prime of the group is not one for this modulus" : "the proof was read for another key"
            )
        }
        return group
    }

    private func checkStructure(_ group: ProofGroup) throws(CheckFault) {
        for opening in [proof.pPrime, proof.qPrime, proof.p, proof.q] { try opening.validate(group) }
        try group.validate(scalars: [proof.productResponse])
        try proof.modulus.validate(statement.n)
    }

    /// Checks that steps multiply by the powers of the base, or reports those that do not.
    func checkStepFactors(_ checklist: inout Checklist) {
        let count = proof.pPrimePrimality.unboundStepCount + proof.qPrimePrimality.unboundStepCount
        let message = "\(count) steps multiply by other committed numbers; the proof does not hide the primes"
        switch (count, policy.stepFactors) {
        case (0, _): checklist.record(.boundStepFactors, .passed)
        case (_, .bound): checklist.record(.boundStepFactors, .failed(.unboundStepFactors, message))
        case (_, .any):
            checklist.record(.boundStepFactors, .waived("stepFactors", message))
            checklist.add(Deviation("unboundStepFactors", message))
        }
    }

    /// Rebuilds the commitments, and compares their hash with the challenge.
    func checkChallenge(_ checklist: inout Checklist, _ work: KeyProofWork) async throws(CancellationError) {
        guard let group else { return }
        let hash: BigInteger
        do throws(IdemixError) {
            hash = try await work.hash(proof.parts(statement, group, proof.challenge))
        } catch {
            // Nothing else ends the work early.
            throw CancellationError()
        }
        checklist.check(.challenge) { () throws(CheckFault) in
            guard hash == proof.challenge else {
                throw .failed(.invalidProof, "the challenge is not the hash of the rebuilt commitments")
            }
        }
        work.begin(.conclusion, count: 1)
    }
}
