import CryptoCore

/// Proofs that answer one challenge, as received.
public struct ProofList: Hashable, Sendable {
    /// The proofs.
    public let proofs: [Proof]

    /// Keeps received proofs.
    public init(_ proofs: [Proof]) {
        self.proofs = proofs
    }

    /// Bounds on what a verifier works with.
    public struct Limits: Hashable, Sendable {
        /// How many proofs a list may have.
        public var proofs = 1_000
        /// How many bits a disclosed integer may have.
        public var attributeBits = 8 << 20
        /// How many range proofs one disclosure may have.
        public var rangeProofs = 64

        /// The default limits.
        public init() {}
    }

    /// Verifies the proofs.
    ///
    /// - Parameters:
    ///   - expectations: What is known about each proof, in the list's order.
    ///   - context: The context of the session: 1.
    ///   - nonce: The nonce n_1 that the verifier chose; for attribute-based signatures the one computed from the message.
    ///   - isSignature: Whether this is an attribute-based signature.
    ///   - limits: Bounds beyond which proofs are refused; by default those of ``Limits/init()``.
    /// - Returns: How each check came out, and, where all passed, what the proofs show.
    public func verify(
        expecting expectations: [ProofExpectation],
        context: BigInteger = 1,
        nonce: BigInteger,
        isSignature: Bool = false,
        limits: Limits = Limits()
    ) -> ProofListVerdict {
        var verification = ProofListVerification(
            proofs: proofs,
            expectations: expectations,
            context: context,
            nonce: nonce,
            isSignature: isSignature,
            limits: limits
        )
        return verification.verdict()
    }
}
