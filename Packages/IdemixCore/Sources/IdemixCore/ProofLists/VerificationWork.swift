/// The work of verifying proofs, known from their shape before any of it is done: how many bits the exponents of all powers
/// have together, where each is as long as an honest prover's can be.
enum VerificationWork {
    /// The exponents of a disclosure proof: of Z, A', S and the bases R, then those of the proofs inside.
    static func exponentBits(_ proof: DisclosureProof, _ parameters: SystemParameters) -> Int {
        let credential =
            parameters.challenge + (parameters.challenge + parameters.e) + (parameters.vCommitment + 1)
            + proof.attributeResponses.count * (parameters.attributeCommitment + 1)
            + proof.disclosedAttributes.count * (parameters.challenge + parameters.attribute)
        let nonRevocation = proof.nonRevocation == nil ? 0 : nonRevocationBits(parameters)
        return proof.rangeProofs.values.joined().reduce(credential + nonRevocation) { $0 + rangeBits($1, parameters) }
    }

    /// The exponents of an issuance commitment's proof: of U, S, R_0 and the bases of random-blind attributes.
    static func exponentBits(_ proof: IssuanceCommitmentProof, _ parameters: SystemParameters) -> Int {
        parameters.challenge + (parameters.vPrimeCommitment + 1) + (parameters.secretKeyCommitment + 1)
            + proof.attributeResponses.count * (parameters.attributeCommitment + 1)
    }

    /// The exponents of C_r, G and H; of ν, C_u and H; of C_r, G and H.
    private static func nonRevocationBits(_ parameters: SystemParameters) -> Int {
        let quarter = parameters.modulus - 2
        let short = quarter + RevocationParameters.randomizerExcess + 1
        let alpha = RevocationParameters.randomizerExcess + RevocationParameters.attribute + 1
        return (parameters.challenge + 2 * short) + (parameters.challenge + alpha + quarter + alpha)
            + (alpha + 2 * (quarter + alpha))
    }

    /// The exponents of S, R and the commitments C_i in the inequality; of C_i, R and S for each C_i.
    private static func rangeBits(_ proof: RangeProof, _ parameters: SystemParameters) -> Int {
        let excess = parameters.challenge + parameters.statisticalZeroKnowledge + 1
        let root = min(max(0, proof.rootBits), parameters.attribute) + excess
        let bound = RangeProof.boundBits(parameters) + parameters.challenge
        let inequality = (parameters.attribute + 2 + root) + max(bound, 32 + parameters.attributeCommitment + 1) + 1
        return inequality + proof.commitments.count * (root + parameters.challenge + root + parameters.attribute + excess)
    }
}
