public import CryptoCore

/// Signs credentials with one key pair.
public struct IdemixIssuer: Sendable {
    /// The keys that sign.
    public let keys: IdemixIssuerKeyPair
    private let primes: CLSignaturePrimePool?
    private let randomness: any RandomSource

    /// Makes an issuer.
    ///
    /// - Parameters:
    ///   - keys: The key pair to sign with.
    ///   - primes: Primes found ahead of time. By default the key pair's, up to
    ///     ``CLSignaturePrimePool/defaultCapacity``, found in the background from the first signature on; with another
    ///     source of randomness than the system's there are none, and each signature finds its own.
    ///   - randomness: The source of all that signing draws at random; by default the system's.
    public init(
        keys: IdemixIssuerKeyPair,
        primes: CLSignaturePrimePool? = nil,
        using randomness: any RandomSource = .system
    ) {
        self.keys = keys
        self.primes = primes ?? (randomness is SystemRandomSource ? keys.primes : nil)
        self.randomness = randomness
    }

    /// Signs a credential for the holder that made a commitment.
    ///
    /// - Parameters:
    ///   - attributes: The integers m_1 (the metadata), m_2 and so on. At the places of random-blind attributes they must
    ///     be zero: the issuer draws its share of them.
    ///   - commitment: The holder's commitment, with the keyshare server's share multiplied in where there is one. It
    ///     names the random-blind attributes.
    ///   - context: The context of the session.
    ///   - nonce: The holder's nonce n_2.
    ///   - witness: The witness whose prime is the value of the revocation attribute.
    /// - Throws: ``IdemixError/Code/keyPairMismatch`` for a commitment to be signed with another key,
    ///   ``IdemixError/Code/invalidAttributeCount``, ``IdemixError/Code/invalidAttribute``,
    ///   ``IdemixError/Code/invalidIndices``, ``IdemixError/Code/notInvertible`` for a commitment that is not a square,
    ///   ``IdemixError/Code/invalidWitness``.
    public func sign(
        attributes: [BigInteger],
        commitment: VerifiedIdemixCommitment,
        context: BigInteger = 1,
        nonce: BigInteger,
        witness: ReceivedWitness? = nil
    ) throws(IdemixError) -> IssuedCLSignature {
        guard commitment.publicKey == keys.publicKey else {
            throw IdemixError(.keyPairMismatch, "the commitment was made for another key", path: ["U"])
        }
        let shares = try checkedShares(attributes: attributes, blindIndices: commitment.blindIndices)
        try checkWitness(witness, attributes: attributes)
        try keys.publicKey.requireUnit(commitment.value, "U")
        var integers = [BigInteger.zero] + attributes
        for (index, share) in shares { integers[index] = share }
        let (signature, proof) = try sign(integers, commitment: commitment.value, context: context, nonce: nonce)
        return IssuedCLSignature(signature: signature, proof: proof, issuerShares: shares, witness: witness)
    }

    /// Computes the signature and the proof about it.
    private func sign(
        _ attributes: [BigInteger],
        commitment U: BigInteger,
        context: BigInteger,
        nonce: BigInteger
    ) throws(IdemixError) -> (CLSignature, IssuerSignatureProof) {
        let (publicKey, group) = (keys.publicKey, keys.privateKey.group)
        let parameters = publicKey.parameters
        // v'' = 2^(l_v − 1) + a random number below 2^(l_v − 1)
        let v = BigInteger.powerOfTwo(parameters.v - 1) + BigInteger.random(bits: parameters.v - 1, using: randomness)
        let prime =
            if let primes {
                try primes.take()
            } else {
                try CLSignaturePrimePool.makeEntry(parameters, group, using: randomness)
            }
        // Q = Z / (S^v'' · ∏ R_i^(m_i) · U)
        var divisor = try GroupProduct.representation(of: attributes, in: publicKey.group, timing: .constant)
        divisor.multiply(.s, to: v, bits: parameters.v)
        divisor.multiply(by: U)
        guard let inverse = divisor.value().inverse(modulo: publicKey.elements.n) else {
            throw IdemixError(.notInvertible, "the commitment shares a factor with the modulus", path: ["U"])
        }
        let Q = publicKey.group.modulus.product(publicKey.elements.Z, inverse)
        // A = Q^(1/e), A~ = Q^(e~)
        let eRandomizer = group.randomExponent(using: randomness)
        let element = group.element(Q)
        let A = element.squarePower(prime.inverse)
        // A and its powers are squares, so that A^e = Q shows that Q is a square. Z and the bases are squares: Q is a
        // square if and only if U is. A fault in one half of the computation would reveal the factors with the signature.
        guard group.isPower(Q, of: A, prime.e) else {
            throw element.isSquare
                ? IdemixError(.invalidSignature, "the computation of the signature was faulty")
                : IdemixError(.notInvertible, "the commitment is not a square modulo n", path: ["U"])
        }
        // c = H(context, Q, A, n_2, A~), e^ = e~ − c/e
        let challenge = FiatShamir.hash([context, Q, A, nonce, element.power(eRandomizer)])
        let response = group.response(randomizer: eRandomizer, challenge: challenge, secret: prime.inverse)
        return (
            CLSignature(A: A, e: prime.e, v: v),
            IssuerSignatureProof(challenge: challenge, eResponse: response)
        )
    }

    /// The issuer's random shares m'' of the blind attributes.
    private func checkedShares(
        attributes: [BigInteger],
        blindIndices: Set<Int>
    ) throws(IdemixError) -> [Int: BigInteger] {
        let publicKey = keys.publicKey
        guard !attributes.isEmpty, attributes.count < publicKey.elements.R.count else {
            throw IdemixError(
                .invalidAttributeCount,
                "\(attributes.count) integers besides the secret key for \(publicKey.elements.R.count) bases"
            )
        }
        try publicKey.parameters.validate(attributes: attributes)
        guard blindIndices.allSatisfy({ $0 >= 2 && $0 <= attributes.count && attributes[$0 - 1].isZero }) else {
            throw IdemixError(.invalidIndices, "a blind index is no attribute's, or its integer is not zero")
        }
        var shares: [Int: BigInteger] = [:]
        for index in blindIndices {
            shares[index] = BigInteger.random(bits: publicKey.parameters.attribute - 1, using: randomness)
        }
        return shares
    }

    private func checkWitness(_ witness: ReceivedWitness?, attributes: [BigInteger]) throws(IdemixError) {
        guard let witness else { return }
        guard attributes.dropFirst().contains(witness.e) else {
            throw IdemixError(.invalidWitness, "the prime of the witness is not among the attributes")
        }
    }
}
