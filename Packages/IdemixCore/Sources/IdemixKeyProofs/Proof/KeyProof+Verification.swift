import CryptoCore
public import IdemixCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension KeyProof {
    /// The checks of a proof, in the order in which they are made.
    ///
    /// All that need arithmetic with the challenge come after those that bound it.
    public static let checks: [Check] = [
        .structure, .modulusForm, .pPrimePrimality, .qPrimePrimality, .boundStepFactors, .bases, .challenge,
        .squareFree, .primePowers, .disjointPrimes, .almostSafePrimes,
    ]

    /// Verifies the proof of a statement.
    ///
    /// At 2048 bits this takes many minutes of all processors and hundreds of megabytes of memory beside the proof.
    ///
    /// - Parameters:
    ///   - statement: The statement, of ``KeyStatement/init(_:)`` for a public key.
    ///   - policy: The lasting demands; by default the strict ones.
    ///   - time: The time of the verification, which the answer has.
    ///   - concurrency: The number of tasks that share the work; by default one for each processor.
    ///   - progress: Called as the work advances, from several tasks.
    /// - Returns: The statement, or the refusal, with every check of ``checks``.
    /// - Throws: `CancellationError`.
    public func verify(
        _ statement: KeyStatement,
        policy: KeyProofPolicy = KeyProofPolicy(),
        at time: Date,
        concurrency: Int = defaultConcurrency,
        progress: @escaping @Sendable (KeyProofProgress) -> Void = { _ in }
    ) async throws(CancellationError) -> Verification<KeyStatement> {
        var checklist = Checklist(Self.checks, at: time)
        let work = KeyProofWork(concurrency: concurrency, progress: progress)
        let verifier = KeyProofVerifier(proof: self, statement: statement, policy: policy)
        work.begin(.preparation, count: 1)
        for check in Self.checks where !checklist.isRefused {
            switch check {
            case .challenge: try await verifier.checkChallenge(&checklist, work)
            case .boundStepFactors: verifier.checkStepFactors(&checklist)
            default: checklist.check(check) { () throws(CheckFault) in try verifier.make(check) }
            }
        }
        return checklist.verification(of: checklist.isRefused ? nil : statement)
    }
}

/// The lasting demands of a verifier on a ``KeyProof``.
public struct KeyProofPolicy: Hashable, Sendable {
    /// The rules for the factors of the steps of an exponentiation.
    public enum StepFactors: Hashable, Sendable {
        /// Each step multiplies by the power of the base that the proof has committed to.
        case bound
        /// A step may multiply by any number in a commitment of its own, as the proofs of gabi have it.
        ///
        /// Such a proof neither shows that p' and q' are prime, nor hides them. Its key must count as compromised.
        case any
    }

    /// The rule for the factors of the steps.
    public var stepFactors: StepFactors

    /// Collects the demands.
    public init(stepFactors: StepFactors = .bound) {
        self.stepFactors = stepFactors
    }

    /// The demands of gabi, which the proofs that gabi makes satisfy.
    public static let gabi = KeyProofPolicy(stepFactors: .any)
}

extension Check {
    /// The modulus has the form that the proofs presuppose: 5 modulo 8 and without small factors.
    public static let modulusForm: Check = "modulusForm"
    /// The parts about p' have the ranges of an honest prover's, and the challenges of their alternatives combine.
    public static let pPrimePrimality: Check = "pPrimePrimality"
    /// The parts about q' have the ranges of an honest prover's, and the challenges of their alternatives combine.
    public static let qPrimePrimality: Check = "qPrimePrimality"
    /// Each step of an exponentiation multiplies by the power of the base.
    public static let boundStepFactors: Check = "boundStepFactors"
    /// The parts about the bases have the ranges of an honest prover's.
    public static let bases: Check = "bases"
    /// The challenge is the hash of the rebuilt commitments: all relations hold, the primality of p' and q' and the squares
    /// among them.
    public static let challenge: Check = "challenge"
    /// The modulus is free of squares.
    public static let squareFree: Check = "squareFree"
    /// No more than two primes divide the modulus.
    public static let primePowers: Check = "primePowers"
    /// Two different primes divide the modulus.
    public static let disjointPrimes: Check = "disjointPrimes"
    /// Both primes are twice a power of a prime plus one.
    public static let almostSafePrimes: Check = "almostSafePrimes"
}

extension Reason {
    /// A step of an exponentiation multiplies by a number that the proof does not bind to the base.
    public static let unboundStepFactors: Reason = "unboundStepFactors"
}
