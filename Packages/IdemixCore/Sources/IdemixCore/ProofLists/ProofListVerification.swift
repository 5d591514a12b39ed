import CryptoCore

/// One run of the checks over one list.
struct ProofListVerification {
    let proofs: [Proof]
    let expectations: [ProofExpectation]
    let context: BigInteger
    let nonce: BigInteger
    let isSignature: Bool
    let limits: ProofList.Limits
    /// The verified accumulators, by the position of their proofs.
    private var accumulators: [Int: Accumulator] = [:]

    /// The reason that a check fails, and the proof that fails it.
    struct Failure: Error {
        let proof: Int?
        let reason: String
    }

    init(
        proofs: [Proof],
        expectations: [ProofExpectation],
        context: BigInteger,
        nonce: BigInteger,
        isSignature: Bool,
        limits: ProofList.Limits
    ) {
        self.proofs = proofs
        self.expectations = expectations
        self.context = context
        self.nonce = nonce
        self.isSignature = isSignature
        self.limits = limits
    }

    mutating func verdict() -> ProofListVerdict {
        var outcomes: [ProofCheckOutcome] = []
        var failed = false
        for check in ProofCheck.allCases {
            guard !failed else {
                outcomes.append(ProofCheckOutcome(check: check, result: .notMade))
                continue
            }
            do throws(Failure) {
                try make(check)
                outcomes.append(ProofCheckOutcome(check: check, result: .passed))
            } catch {
                failed = true
                outcomes.append(
                    ProofCheckOutcome(check: check, result: .failed(proof: error.proof, reason: error.reason))
                )
            }
        }
        return ProofListVerdict(outcomes: outcomes, verified: failed ? nil : VerifiedProofList(proofs: shown()))
    }

    private mutating func make(_ check: ProofCheck) throws(Failure) {
        switch check {
        case .count: try checkCount()
        case .limits: try checkLimits()
        case .commonChallenge: try checkCommonChallenge()
        case .secretKey: try checkSecretKey()
        case .accumulator: try checkAccumulators()
        case .challenge: try checkChallenge()
        case .kind, .unrequested, .indices, .ranges, .groupElements, .completeness:
            for (position, pair) in zip(proofs, expectations).enumerated() {
                if let reason = deviation(of: pair.0, from: pair.1, check) {
                    throw Failure(proof: position, reason: reason)
                }
            }
        }
    }

    /// The reason that a single proof fails a check, or `nil` if it passes.
    private func deviation(of proof: Proof, from expectation: ProofExpectation, _ check: ProofCheck) -> String? {
        switch (proof, expectation) {
        case (.disclosure(let proof), .disclosure(let expectation)):
            DisclosureChecks(proof: proof, expectation: expectation).deviation(check)
        case (.issuance(let proof), .issuance(let expectation)):
            IssuanceChecks(proof: proof, expectation: expectation).deviation(check)
        case (.disclosure, .issuance): "a disclosure where a commitment was expected"
        case (.issuance, .disclosure): "a commitment where a disclosure was expected"
        }
    }

    private func checkCount() throws(Failure) {
        guard !proofs.isEmpty else { throw Failure(proof: nil, reason: "the list is empty") }
        guard proofs.count == expectations.count else {
            throw Failure(proof: nil, reason: "\(proofs.count) proofs where \(expectations.count) were expected")
        }
    }

    private func checkLimits() throws(Failure) {
        func check(_ number: Int, _ limit: Int, _ unit: String, proof: Int? = nil) throws(Failure) {
            guard number <= limit else { throw Failure(proof: proof, reason: "\(number) \(unit), \(limit) allowed") }
        }
        try check(proofs.count, limits.proofs, "proofs")
        var disclosedBits = 0
        var work = VerificationWork()
        for (position, (proof, expectation)) in zip(proofs, expectations).enumerated() {
            work.add(proof, expectation.publicKey.parameters)
            try check(work.multiplications, limits.multiplications, "multiplications", proof: position)
            guard case .disclosure(let proof) = proof else { continue }
            disclosedBits = proof.disclosedAttributes.values.reduce(disclosedBits) { $0 + $1.bitCount }
            try check(disclosedBits, limits.disclosedBits, "bits of disclosed integers", proof: position)
        }
    }

    private func checkCommonChallenge() throws(Failure) {
        guard let other = proofs.firstIndex(where: { $0.challenge != proofs[0].challenge }) else { return }
        throw Failure(proof: other, reason: "the challenge differs from the first proof's")
    }

    private func checkSecretKey() throws(Failure) {
        var responses: [String?: BigInteger] = [:]
        for (position, pair) in zip(proofs, expectations).enumerated() {
            guard let response = pair.0.secretKeyResponse else {
                throw Failure(proof: position, reason: "there is no response for the secret key")
            }
            let group = pair.1.keyshareServer
            guard responses[group] == nil || responses[group] == response else {
                throw Failure(proof: position, reason: "the secret key is another than in an earlier proof")
            }
            responses[group] = response
        }
    }

    private mutating func checkAccumulators() throws(Failure) {
        for (position, pair) in zip(proofs, expectations).enumerated() {
            guard case (.disclosure(let proof), .disclosure(let expectation)) = pair,
                let nonRevocation = proof.nonRevocation
            else { continue }
            do throws(IdemixError) {
                let accumulator = try nonRevocation.signedAccumulator.verified(by: expectation.publicKey)
                guard accumulator.index >= expectation.nonRevocation.minimumAccumulatorIndex else {
                    throw IdemixError(.outOfRange, "the accumulator is older than the events that were sent along")
                }
                accumulators[position] = accumulator
            } catch {
                throw Failure(proof: position, reason: error.description)
            }
        }
    }

    /// Compares c with H(context, contributions, nonce).
    private func checkChallenge() throws(Failure) {
        var contributions: [BigInteger] = []
        for (position, pair) in zip(proofs, expectations).enumerated() {
            do throws(IdemixError) {
                contributions += try self.contributions(of: pair.0, publicKey: pair.1.publicKey, position: position)
            } catch {
                throw Failure(proof: position, reason: error.description)
            }
        }
        let challenge = FiatShamir.challenge(
            context: context,
            contributions: contributions,
            nonce: nonce,
            isSignature: isSignature
        )
        guard constantTimeEqual(challenge.bytes(paddedTo: 32), proofs[0].challenge.bytes(paddedTo: 32)) else {
            throw Failure(proof: nil, reason: "the challenge is not the hash of the rebuilt commitments")
        }
    }

    private func contributions(
        of proof: Proof,
        publicKey: IssuerPublicKey,
        position: Int
    ) throws(IdemixError) -> [BigInteger] {
        switch proof {
        case .issuance(let proof): try proof.contributions(publicKey: publicKey)
        case .disclosure(let proof): try contributions(of: proof, publicKey: publicKey, position: position)
        }
    }

    private func contributions(
        of proof: DisclosureProof,
        publicKey: IssuerPublicKey,
        position: Int
    ) throws(IdemixError) -> [BigInteger] {
        func response(_ index: Int?) throws(IdemixError) -> BigInteger {
            guard let index, let response = proof.attributeResponses[index] else {
                throw IdemixError(.invalidIndices, "the attribute of a proof is not hidden")
            }
            return response
        }
        var contributions = try proof.contributions(publicKey: publicKey)
        if let nonRevocation = proof.nonRevocation, case .disclosure(let expectation) = expectations[position],
            let accumulator = accumulators[position]
        {
            contributions += try nonRevocation.contributions(
                challenge: proof.challenge,
                alphaResponse: response(expectation.nonRevocation.index),
                accumulator: accumulator.value,
                publicKey: publicKey
            )
        }
        for (index, rangeProofs) in proof.rangeProofs.sorted(by: { $0.key < $1.key }) {
            for rangeProof in rangeProofs {
                contributions += try rangeProof.contributions(
                    challenge: proof.challenge,
                    index: index,
                    attributeResponse: response(index),
                    publicKey: publicKey
                )
            }
        }
        return contributions
    }

    /// The content of the verified proofs.
    private func shown() -> [VerifiedProof] {
        proofs.enumerated().map { position, proof in
            switch proof {
            case .issuance(let proof):
                .issuance(VerifiedCommitment(value: proof.U, blindIndices: Set(proof.attributeResponses.keys)))
            case .disclosure(let proof):
                .disclosure(
                    VerifiedDisclosure(
                        attributes: proof.disclosedAttributes,
                        lastIndex: proof.attributeResponses.count + proof.disclosedAttributes.count - 1,
                        accumulator: accumulators[position],
                        rangeProofs: proof.rangeProofs
                    )
                )
            }
        }
    }
}
