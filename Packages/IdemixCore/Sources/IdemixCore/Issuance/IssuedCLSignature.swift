/// An issuer's message for one credential: the signature, its proof, and the other values that the holder needs.
public struct IssuedCLSignature: Sendable {
    /// The signature over the issuer's view of the attributes; its v is the issuer's share v''.
    public let signature: CLSignature
    /// The proof that the issuer knows the inverse of e.
    public let proof: IssuerSignatureProof
    /// The issuer's shares m'' of the random-blind attributes, by base index.
    public let issuerShares: [Int: BigInteger]
    /// The witness for proving that the credential is not revoked, where it can be.
    public let witness: ReceivedWitness?

    /// Collects the parts of a message.
    public init(
        signature: CLSignature,
        proof: IssuerSignatureProof,
        issuerShares: [Int: BigInteger] = [:],
        witness: ReceivedWitness? = nil
    ) {
        self.signature = signature
        self.proof = proof
        self.issuerShares = issuerShares
        self.witness = witness
    }
}

/// The issuer's proof that it knows the inverse of e, sent with each signature (ProofS).
///
/// It convinces the holder that A was computed from Q = A^e and lies in the right group.
public struct IssuerSignatureProof: Hashable, Sendable {
    /// The challenge c.
    public let challenge: BigInteger
    /// The response e^ = e~ − c·e^-1 (mod p'·q').
    public let eResponse: BigInteger

    /// Collects the numbers of a received proof.
    public init(challenge: BigInteger, eResponse: BigInteger) {
        self.challenge = challenge
        self.eResponse = eResponse
    }

    /// Verifies the proof that came with a signature.
    ///
    /// - Returns: The signature, whose A the issuer computed with its private key.
    /// - Throws: ``IdemixError/Code/outOfRange`` or ``IdemixError/Code/notInvertible`` for numbers that no honest
    ///   issuer sends, ``IdemixError/Code/invalidIssuerProof`` if the proof does not verify.
    public func verify(
        signature: CLSignature,
        context: BigInteger = 1,
        nonce: BigInteger,
        publicKey: IdemixIssuerPublicKey
    ) throws(IdemixError) -> CLSignature {
        try publicKey.requireUnit(signature.A, "A")
        guard publicKey.parameters.ePrimes.contains(signature.e) else {
            throw IdemixError(.outOfRange, "e is out of its range", path: ["e"])
        }
        try checkRanges(publicKey: publicKey)
        var Q = GroupProduct(publicKey.group, timing: .variable)
        Q.multiply(signature.A, to: signature.e)
        try requireEquation(
            A: signature.A,
            powerOfA: Q.value(),
            context: context,
            nonce: nonce,
            publicKey: publicKey
        )
        return signature
    }

    /// Refuses numbers that no honest proof has: 0 ≤ c < 2^256, 0 ≤ e^ < n.
    func checkRanges(publicKey: IdemixIssuerPublicKey) throws(IdemixError) {
        guard !challenge.isNegative, challenge.bitCount <= publicKey.parameters.challenge else {
            throw IdemixError(.outOfRange, "the challenge is out of its range", path: ["proof", "c"])
        }
        guard !eResponse.isNegative, eResponse < publicKey.elements.n else {
            throw IdemixError(.outOfRange, "the response is out of its range", path: ["proof", "e_response"])
        }
    }

    /// Checks the proof, given Q = A^e: A~ = A^(c + e^·e) = A^c · Q^(e^), c = H(context, Q, A, n_2, A~).
    func requireEquation(
        A: BigInteger,
        powerOfA Q: BigInteger,
        context: BigInteger,
        nonce: BigInteger,
        publicKey: IdemixIssuerPublicKey
    ) throws(IdemixError) {
        var commitment = GroupProduct(publicKey.group, timing: .variable)
        commitment.multiply(A, to: challenge)
        commitment.multiply(Q, to: eResponse)
        guard challenge == FiatShamir.hash([context, Q, A, nonce, commitment.value()]) else {
            throw IdemixError(.invalidIssuerProof, "the issuer's proof about its signature does not verify")
        }
    }
}
