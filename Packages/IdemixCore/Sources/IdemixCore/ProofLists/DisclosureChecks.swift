import VerificationCore

/// The checks of one disclosure proof that need no exponentiation.
struct DisclosureChecks {
    let proof: IdemixDisclosureProof
    let expectation: IdemixDisclosureExpectation

    /// The reason that the proof fails a check, or `nil` if it passes.
    func deviation(_ check: Check) -> (Reason, String)? {
        switch check {
        case .unrequestedProofs: unrequestedPart.map { (.unrequestedProof, $0) }
        case .indices: indexDeviation.map { (.malformed, $0) }
        case .responseRanges: rangeDeviation.map { (.malformed, $0) }
        case .groupElements: elementDeviation.map { (.malformed, $0) }
        case .requiredClaims: missingStatement.map { (.missingClaim, $0) }
        default: nil
        }
    }

    private var unrequestedPart: String? {
        guard proof.nonRevocation == nil || expectation.nonRevocation != .absent else {
            return "a proof of non-revocation that was not asked for"
        }
        for (index, proofs) in proof.rangeProofs {
            guard let statements = expectation.statements[index], proofs.count <= statements.count,
                proofs.allSatisfy({ proof in statements.contains(where: proof.proves) })
            else { return "a range proof about attribute \(index) that was not asked for" }
        }
        return nil
    }

    private var indexDeviation: String? {
        let (hidden, disclosed) = (proof.attributeResponses, proof.disclosedAttributes)
        guard hidden.keys.allSatisfy({ disclosed[$0] == nil }) else {
            return "an index is disclosed and hidden at once"
        }
        guard hidden[0] != nil else { return "the secret key is not hidden" }
        guard disclosed[1] != nil else { return "the metadata is not disclosed" }
        let bases = expectation.publicKey.elements.R.count
        let last = hidden.count + disclosed.count - 1
        // Disjoint, and as many as the numbers from 0 to the last: without gaps if none is outside.
        guard (hidden.keys.min() ?? 0) >= 0, (disclosed.keys.min() ?? 0) >= 0, (hidden.keys.max() ?? 0) <= last,
            (disclosed.keys.max() ?? 0) <= last
        else { return "the indices have gaps" }
        guard last < bases else { return "there are more attributes than the key has bases" }
        // The type may have grown since the verifier learned it.
        guard (disclosed.keys.max() ?? 0) <= (expectation.attributeCount ?? bases) + 1 else {
            return "the credential type does not have a disclosed attribute"
        }
        guard proof.rangeProofs.keys.allSatisfy({ $0 > 0 && hidden[$0] != nil }) else {
            return "a range proof is about an attribute that is not hidden"
        }
        guard proof.nonRevocation == nil || expectation.nonRevocation.index.map({ hidden[$0] != nil && $0 > 1 }) == true
        else { return "the revocation attribute is not hidden" }
        return nil
    }

    private var rangeDeviation: String? {
        let parameters = expectation.publicKey.parameters
        func isInRange(_ number: BigInteger, _ bits: Int) -> Bool { !number.isNegative && number.bitCount <= bits }
        guard isInRange(proof.challenge, parameters.challenge) else { return "the challenge is out of its range" }
        guard isInRange(proof.eResponse, parameters.eCommitment + 1) else { return "e_response is out of its range" }
        guard isInRange(proof.vResponse, parameters.vCommitment + 1) else { return "v_response is out of its range" }
        for (index, response) in proof.attributeResponses
        where !isInRange(response, parameters.attributeCommitment + 1) {
            return "the response for attribute \(index) is out of its range"
        }
        for (index, attribute) in proof.disclosedAttributes where attribute.isNegative {
            return "the disclosed attribute \(index) is negative"
        }
        return nil
    }

    /// Elements of the group, and the ranges inside the parts about revocation and ranges.
    private var elementDeviation: String? {
        guard expectation.publicKey.isUnit(proof.A) else { return "A is no element of the group" }
        if let nonRevocation = proof.nonRevocation, let index = expectation.nonRevocation.index,
            let response = proof.attributeResponses[index],
            let reason = nonRevocation.deviation(alphaResponse: response, publicKey: expectation.publicKey)
        {
            return reason
        }
        return proof.rangeProofs.values.joined().lazy
            .compactMap { $0.deviation(publicKey: expectation.publicKey) }.first
    }

    private var missingStatement: String? {
        for (index, statements) in expectation.statements {
            let proofs = proof.rangeProofs[index] ?? []
            guard statements.allSatisfy({ statement in proofs.contains { $0.proves(statement) } }) else {
                return "a statement about attribute \(index) is not proved"
            }
        }
        return nil
    }
}
