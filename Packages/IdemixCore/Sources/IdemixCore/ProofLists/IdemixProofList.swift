import CryptoCore
public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Proofs that answer one challenge, as received.
public struct IdemixProofList: Hashable, Sendable {
    /// The proofs.
    public let proofs: [IdemixProof]

    /// Keeps received proofs.
    public init(_ proofs: [IdemixProof]) {
        self.proofs = proofs
    }

    /// Bounds on a verifier's work, independent of the request.
    ///
    /// A list that stays within the default limits costs less than fifty disclosures of a credential with five attributes
    /// under a key of the same length.
    public struct Limits: Hashable, Sendable {
        /// The largest number of proofs in a list.
        public var proofs = 100
        /// The largest total length in bits of the disclosed integers, since long ones are hashed.
        public var disclosedBits = 8 << 20
        /// The largest number of multiplications modulo n in a verification, as an estimate.
        ///
        /// With a key of 2048 bits a disclosure of a credential with five attributes takes about 2,100, a proof of
        /// non-revocation 3,700 more, a range proof with four squares 4,600 more.
        public var multiplications = 80_000

        /// The default limits.
        public init() {}

        /// The limits with room for the commitments that an issuer has asked for, beside the disclosures.
        ///
        /// Their number is the issuer's own choice within ``proofs``, and making a signature takes more work than verifying
        /// the commitment to it: without the room, an issuer with a key of 4096 bits could ask for 100 credentials and would
        /// refuse the answer.
        public func admitting(_ commitments: [IdemixIssuanceExpectation]) -> Limits {
            var limits = self
            var work = VerificationWork()
            for commitment in commitments.prefix(max(0, proofs)) { work.add(commitment) }
            let (sum, isTooLarge) = multiplications.addingReportingOverflow(work.roundedUp)
            limits.multiplications = isTooLarge ? .max : sum
            return limits
        }
    }

    /// Verifies the proofs; `checking` adds checks of the user's own to the answer.
    ///
    /// - Parameters:
    ///   - expectations: The verifier's expectation of each proof, in the list's order.
    ///   - challenge: The verifier's input to the challenge: the context, its nonce and the kind of proof.
    ///   - time: The time at which credentials must be valid; for attribute-based signatures that of the timestamp.
    ///   - limits: Bounds beyond which proofs are refused; by default those of ``Limits/init()``.
    public func verify(
        expecting expectations: [IdemixProofExpectation],
        challenge: IdemixChallenge,
        at time: Date,
        limits: Limits = Limits()
    ) -> Verification<VerifiedIdemixProofList> {
        var verification = ProofListVerification(
            proofs: proofs,
            expectations: expectations,
            challenge: challenge,
            limits: limits,
            at: time
        )
        verification.run()
        return verification.verification()
    }
}
