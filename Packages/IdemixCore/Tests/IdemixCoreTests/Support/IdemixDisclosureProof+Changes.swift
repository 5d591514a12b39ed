import IdemixCore

extension IdemixDisclosureProof {
    /// The same proof with some parts replaced.
    func changed(
        challenge: BigInteger? = nil,
        A: BigInteger? = nil,
        eResponse: BigInteger? = nil,
        vResponse: BigInteger? = nil,
        attributeResponses: [Int: BigInteger]? = nil,
        disclosedAttributes: [Int: BigInteger]? = nil,
        nonRevocation: NonRevocationProof?? = nil,
        rangeProofs: [Int: [RangeProof]]? = nil
    ) -> IdemixDisclosureProof {
        IdemixDisclosureProof(
            challenge: challenge ?? self.challenge,
            A: A ?? self.A,
            eResponse: eResponse ?? self.eResponse,
            vResponse: vResponse ?? self.vResponse,
            attributeResponses: attributeResponses ?? self.attributeResponses,
            disclosedAttributes: disclosedAttributes ?? self.disclosedAttributes,
            nonRevocation: nonRevocation ?? self.nonRevocation,
            rangeProofs: rangeProofs ?? self.rangeProofs
        )
    }

    /// The same proof with one response replaced.
    func settingResponse(_ index: Int, to value: BigInteger) -> IdemixDisclosureProof {
        var responses = attributeResponses
        responses[index] = value
        return changed(attributeResponses: responses)
    }

    /// The same proof with one disclosed integer replaced.
    func settingAttribute(_ index: Int, to value: BigInteger) -> IdemixDisclosureProof {
        var attributes = disclosedAttributes
        attributes[index] = value
        return changed(disclosedAttributes: attributes)
    }
}

extension IssuanceCommitmentProof {
    /// The same proof with some parts replaced.
    func changed(
        challenge: BigInteger? = nil,
        U: BigInteger? = nil,
        vPrimeResponse: BigInteger? = nil,
        secretKeyResponse: BigInteger? = nil,
        attributeResponses: [Int: BigInteger]? = nil
    ) -> IssuanceCommitmentProof {
        IssuanceCommitmentProof(
            challenge: challenge ?? self.challenge,
            U: U ?? self.U,
            vPrimeResponse: vPrimeResponse ?? self.vPrimeResponse,
            secretKeyResponse: secretKeyResponse ?? self.secretKeyResponse,
            attributeResponses: attributeResponses ?? self.attributeResponses
        )
    }
}

extension IdemixProofList {
    /// The first proof, which has to be a disclosure.
    func firstDisclosure() throws -> IdemixDisclosureProof {
        guard case .disclosure(let proof) = proofs.first else { throw TestFailure("no disclosure") }
        return proof
    }

    /// The first proof, which has to be a commitment.
    func firstIssuance() throws -> IssuanceCommitmentProof { try issuance(0) }

    /// The proof at a position, which has to be a commitment.
    func issuance(_ position: Int) throws -> IssuanceCommitmentProof {
        guard proofs.indices.contains(position), case .issuance(let proof) = proofs[position] else {
            throw TestFailure("no commitment")
        }
        return proof
    }
}
