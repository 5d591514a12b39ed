/// A proof that its maker has a credential, which shows some attributes and hides the others (ProofD).
///
/// A prover makes it and a verifier receives it;
/// ``IdemixProofList/verify(expecting:challenge:at:limits:)`` checks it.
public struct IdemixDisclosureProof: Hashable, Sendable {
    /// The challenge c.
    public let challenge: BigInteger
    /// The randomized A' = A·S^r.
    public let A: BigInteger
    /// The response for e − 2^(l_e − 1).
    public let eResponse: BigInteger
    /// The response for v'.
    public let vResponse: BigInteger
    /// The responses for the hidden attributes, by base index.
    public let attributeResponses: [Int: BigInteger]
    /// The integers of the disclosed attributes, by base index.
    public let disclosedAttributes: [Int: BigInteger]
    /// The proof that the credential is not revoked, where there is one.
    public let nonRevocation: NonRevocationProof?
    /// Proofs that hidden attributes lie in ranges, by base index.
    public let rangeProofs: [Int: [RangeProof]]

    /// Collects the parts of a received proof.
    public init(
        challenge: BigInteger,
        A: BigInteger,
        eResponse: BigInteger,
        vResponse: BigInteger,
        attributeResponses: [Int: BigInteger],
        disclosedAttributes: [Int: BigInteger],
        nonRevocation: NonRevocationProof? = nil,
        rangeProofs: [Int: [RangeProof]] = [:]
    ) {
        self.challenge = challenge
        self.A = A
        self.eResponse = eResponse
        self.vResponse = vResponse
        self.attributeResponses = attributeResponses
        self.disclosedAttributes = disclosedAttributes
        self.nonRevocation = nonRevocation
        self.rangeProofs = rangeProofs
    }

    /// The same proof with another challenge and another response for the secret key.
    func replacing(challenge: BigInteger, secretKeyResponse: BigInteger) -> IdemixDisclosureProof {
        var responses = attributeResponses
        responses[0] = secretKeyResponse
        return IdemixDisclosureProof(
            challenge: challenge,
            A: A,
            eResponse: eResponse,
            vResponse: vResponse,
            attributeResponses: responses,
            disclosedAttributes: disclosedAttributes,
            nonRevocation: nonRevocation,
            rangeProofs: rangeProofs
        )
    }
}

extension IdemixDisclosureProof {
    /// The content of the metadata attribute, of which nothing is verified.
    ///
    /// - Throws: ``IdemixError/Code/invalidAttribute`` for metadata that is missing or malformed.
    public func metadata() throws(IdemixError) -> MetadataAttribute {
        guard let integer = disclosedAttributes[1] else {
            throw IdemixError(.invalidAttribute, "the metadata is not disclosed", path: ["metadata"])
        }
        return try MetadataAttribute(integer: integer)
    }

    /// A' and the commitment Z~, rebuilt from the responses.
    ///
    /// Z~ = Z^(−c) · A'^(e^ + c·2^(l_e − 1)) · S^(v^) · ∏_hidden R_i^(m_i^) · ∏_disclosed R_i^(c·m_i)
    func contributions(publicKey: IdemixIssuerPublicKey) throws(IdemixError) -> [BigInteger] {
        let (group, parameters) = (publicKey.group, publicKey.parameters)
        var commitment = GroupProduct(group, timing: .variable)
        commitment.multiply(.zInverse, to: challenge)
        commitment.multiply(A, to: eResponse + challenge.shiftedLeft(by: parameters.e - 1))
        commitment.multiply(.s, to: vResponse)
        for (index, response) in attributeResponses { try commitment.multiply(.r(index), to: response) }
        for (index, attribute) in disclosedAttributes {
            try commitment.multiply(.r(index), to: challenge * parameters.exponent(ofAttribute: attribute))
        }
        return [A, commitment.value()]
    }
}
