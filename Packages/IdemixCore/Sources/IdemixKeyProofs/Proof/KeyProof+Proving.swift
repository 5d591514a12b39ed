public import CryptoCore
public import IdemixCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension KeyProof {
    /// Proves that a key is well formed.
    ///
    /// At 2048 bits this takes many minutes of all processors and more than a gigabyte of memory. Exponents that are secret
    /// are computed with in constant time, and all secrets are wiped.
    ///
    /// - Parameters:
    ///   - keys: The key pair.
    ///   - randomness: The source of all that hides the secrets; by default the system's.
    ///   - concurrency: The number of tasks that share the work; by default one for each processor.
    ///   - progress: Called as the work advances, from several tasks.
    /// - Throws: `IdemixError.Code.unprovableStatement` for a key that is not of the form that the proof is about: the
    ///   primes must be safe and differ modulo 8, so must their halves, none of which may be 1 modulo 8.
    ///   `IdemixError.Code.cancelled`, `IdemixError.Code.randomnessFailed`.
    public static func prove(
        _ keys: IdemixIssuerKeyPair,
        using randomness: some RandomSource = .system,
        concurrency: Int = defaultConcurrency,
        progress: @escaping @Sendable (KeyProofProgress) -> Void = { _ in }
    ) async throws(IdemixError) -> KeyProof {
        let factors = keys.privateKey.factors
        return try await prove(
            KeyStatement(keys.publicKey),
            p: factors.p,
            q: factors.q,
            using: randomness,
            concurrency: concurrency,
            progress: progress
        )
    }

    /// Proves a statement about a modulus of any length, given its factors.
    ///
    /// - Parameters:
    ///   - statement: The statement.
    ///   - p: A factor of the modulus.
    ///   - q: The other factor.
    ///   - randomness: The source of all that hides the secrets; by default the system's.
    ///   - concurrency: The number of tasks that share the work; by default one for each processor.
    ///   - progress: Called as the work advances, from several tasks.
    /// - Throws: As for a key pair.
    public static func prove(
        _ statement: KeyStatement,
        p: BigInteger,
        q: BigInteger,
        using randomness: some RandomSource = .system,
        concurrency: Int = defaultConcurrency,
        progress: @escaping @Sendable (KeyProofProgress) -> Void = { _ in }
    ) async throws(IdemixError) -> KeyProof {
        try requireProvable(statement, p: p, q: q, using: randomness)
        let work = KeyProofWork(concurrency: concurrency, progress: progress)
        work.begin(.preparation, count: 1)
        let prime = try GroupPrime.choose(modulusBits: statement.n.bitCount, using: randomness)
        let prover = try await Prover(statement, p: p, q: q, prime, work, using: randomness)
        return try await prover.prove(work, using: randomness)
    }

    /// The number of processors.
    public static var defaultConcurrency: Int { ProcessInfo.processInfo.activeProcessorCount }

    /// Refuses primes that the proofs about the modulus do not hold for.
    private static func requireProvable(
        _ statement: KeyStatement,
        p: BigInteger,
        q: BigInteger,
        using randomness: some RandomSource
    ) throws(IdemixError) {
        guard p * q == statement.n, p != q, p.bitCount == statement.shape.primeBits, q.bitCount == p.bitCount else {
            throw IdemixError(.unprovableStatement, "the modulus is not the product of two primes of its half length")
        }
        let halves = [p, q].map { $0.shiftedRight(by: 1) }
        guard ([p, q] + halves).allSatisfy({ $0.isProbablyPrime(rounds: 80, using: randomness) }) else {
            throw IdemixError(.unprovableStatement, "the primes are not safe")
        }
        for pair in [[p, q], halves] {
            let residues = pair.map { $0.remainder(dividingBy: 8) }
            guard residues[0] != residues[1], !residues.contains(1) else {
                throw IdemixError(.unprovableStatement, "the primes, or their halves, are equal modulo 8, or 1")
            }
        }
        guard min(p, q) > BigInteger(ModulusProof.leastFactor) else {
            throw IdemixError(.unprovableStatement, "the primes are too small")
        }
    }
}

/// Counts the parts of the work that are done.
struct KeyProofWork: Sendable {
    let pool: WorkPool
    private let progress: @Sendable (KeyProofProgress) -> Void

    init(concurrency: Int, progress: @escaping @Sendable (KeyProofProgress) -> Void) {
        pool = WorkPool(width: concurrency)
        self.progress = progress
    }

    func begin(_ step: KeyProofProgress.Step, count: Int) {
        progress(KeyProofProgress(step: step, partsDone: 0, partCount: count))
    }

    /// The hash of parts.
    func hash(_ jobs: [HashJob]) async throws(IdemixError) -> BigInteger {
        begin(.commitments, count: jobs.count)
        let done = WorkCounter()
        return FiatShamir.hash(
            joining: try await pool.map(count: jobs.count) { index in
                let part = jobs[index].part()
                let count = done.take() + 1
                progress(KeyProofProgress(step: .commitments, partsDone: count, partCount: jobs.count))
                return part
            }
        )
    }
}
