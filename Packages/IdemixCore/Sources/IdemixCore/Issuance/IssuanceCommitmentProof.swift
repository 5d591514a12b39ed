/// A holder's commitment to its secret key and its shares of random-blind attributes, with the proof that it knows them
/// (ProofU).
public struct IssuanceCommitmentProof: Hashable, Sendable {
    /// The challenge c.
    public let challenge: BigInteger
    /// The commitment U = S^v' · R_0^sk · ∏ R_i^(m'_i) · P.
    public let U: BigInteger
    /// The response for v'.
    public let vPrimeResponse: BigInteger
    /// The response for the secret key.
    public let secretKeyResponse: BigInteger
    /// The responses for the holder's shares of the random-blind attributes, by base index.
    public let attributeResponses: [Int: BigInteger]

    /// Collects the parts of a received proof.
    public init(
        challenge: BigInteger,
        U: BigInteger,
        vPrimeResponse: BigInteger,
        secretKeyResponse: BigInteger,
        attributeResponses: [Int: BigInteger] = [:]
    ) {
        self.challenge = challenge
        self.U = U
        self.vPrimeResponse = vPrimeResponse
        self.secretKeyResponse = secretKeyResponse
        self.attributeResponses = attributeResponses
    }

    /// The same proof with another challenge, U and response for the secret key.
    func replacing(
        challenge: BigInteger? = nil,
        U: BigInteger? = nil,
        secretKeyResponse: BigInteger
    ) -> IssuanceCommitmentProof {
        IssuanceCommitmentProof(
            challenge: challenge ?? self.challenge,
            U: U ?? self.U,
            vPrimeResponse: vPrimeResponse,
            secretKeyResponse: secretKeyResponse,
            attributeResponses: attributeResponses
        )
    }
}

extension IssuanceCommitmentProof {
    /// U and the commitment U~, rebuilt from the responses.
    ///
    /// U~ = U^(−c) · S^(v'^) · R_0^(s^) · ∏ R_i^(m'_i^)
    func contributions(publicKey: IdemixIssuerPublicKey) throws(IdemixError) -> [BigInteger] {
        let inverse = try publicKey.group.inverse(of: U, "U")
        var commitment = GroupProduct(publicKey.group, timing: .variable)
        commitment.multiply(inverse, to: challenge)
        commitment.multiply(.s, to: vPrimeResponse)
        commitment.multiply(.secretKey, to: secretKeyResponse)
        for (index, response) in attributeResponses { try commitment.multiply(.r(index), to: response) }
        return [U, commitment.value()]
    }
}
