extension VerificationWork {
    /// Adds the work of a proof, estimated from its shape.
    ///
    /// Each exponent counts with the largest length of an honest prover's.
    mutating func add(_ proof: IdemixProof, _ parameters: IdemixSystemParameters) {
        switch proof {
        case .disclosure(let proof):
            // Z, S and the bases R; A'.
            tableBits += parameters.challenge + parameters.vCommitment + 1
            tableBits += proof.attributeResponses.count * (parameters.attributeCommitment + 1)
            tableBits += proof.disclosedAttributes.count * (parameters.challenge + parameters.attribute)
            otherBits += parameters.challenge + parameters.e
            if proof.nonRevocation != nil { addNonRevocation(parameters) }
            for rangeProof in proof.rangeProofs.values.joined() { add(rangeProof, parameters) }
        case .issuance(let proof): addCommitment(blindCount: proof.attributeResponses.count, parameters)
        }
    }

    /// Adds the work of a commitment as it is expected.
    mutating func add(_ expectation: IdemixIssuanceExpectation) {
        addCommitment(blindCount: expectation.blindIndices.count, expectation.publicKey.parameters)
    }

    /// S, R_0 and the bases of random-blind attributes; U.
    private mutating func addCommitment(blindCount: Int, _ parameters: IdemixSystemParameters) {
        tableBits += parameters.vPrimeCommitment + 1 + parameters.secretKeyCommitment + 1
        tableBits += blindCount * (parameters.attributeCommitment + 1)
        otherBits += parameters.challenge
    }

    /// The relation of C_r, that of ν, and that of one.
    private mutating func addNonRevocation(_ parameters: IdemixSystemParameters) {
        let excess = RevocationParameters.randomizerExcess + 1
        let (alpha, quarter) = (excess + RevocationParameters.attribute, parameters.modulus - 2)
        tableBits += 2 * (quarter + excess) + (quarter + alpha) + 2 * (quarter + alpha)
        otherBits += parameters.challenge + (parameters.challenge + alpha) + alpha
    }

    /// The inequality with S, R and each C_i; then C_i, R and S for each C_i.
    private mutating func add(_ proof: RangeProof, _ parameters: IdemixSystemParameters) {
        let excess = parameters.challenge + parameters.statisticalZeroKnowledge + 1
        let root = min(max(0, proof.rootBits), parameters.attribute) + excess
        let bound = RangeProof.boundBits(parameters) + parameters.challenge
        tableBits += (parameters.attribute + 2 + root) + max(bound, 32 + parameters.attributeCommitment + 1) + 1
        tableBits += proof.commitments.count * (root + parameters.attribute + excess)
        otherBits += proof.commitments.count * (root + parameters.challenge)
    }
}
