import VerificationCore

/// The checks of one issuance commitment that need no exponentiation.
struct IssuanceChecks {
    let proof: IssuanceCommitmentProof
    let expectation: IdemixIssuanceExpectation

    /// The reason that the proof fails a check, or `nil` if it passes.
    func deviation(_ check: Check) -> (Reason, String)? {
        switch check {
        case .indices: indexDeviation.map { (.malformed, $0) }
        case .responseRanges: rangeDeviation.map { (.malformed, $0) }
        case .groupElements:
            expectation.publicKey.isUnit(proof.U) ? nil : (.malformed, "U is no element of the group")
        default: nil
        }
    }

    private var indexDeviation: String? {
        guard Set(proof.attributeResponses.keys) == expectation.blindIndices else {
            return "the indices are not those of the random-blind attributes"
        }
        let bases = expectation.publicKey.elements.R.indices
        return expectation.blindIndices.allSatisfy { $0 >= 2 && bases.contains($0) }
            ? nil : "the public key has no base for a random-blind attribute"
    }

    private var rangeDeviation: String? {
        let parameters = expectation.publicKey.parameters
        func isInRange(_ number: BigInteger, _ bits: Int) -> Bool { !number.isNegative && number.bitCount <= bits }
        guard isInRange(proof.challenge, parameters.challenge) else { return "the challenge is out of its range" }
        guard isInRange(proof.vPrimeResponse, parameters.vPrimeCommitment + 1) else {
            return "v_prime_response is out of its range"
        }
        guard isInRange(proof.secretKeyResponse, parameters.secretKeyCommitment + 1) else {
            return "s_response is out of its range"
        }
        for (index, response) in proof.attributeResponses
        where !isInRange(response, parameters.attributeCommitment + 1) {
            return "the response for attribute \(index) is out of its range"
        }
        return nil
    }
}
