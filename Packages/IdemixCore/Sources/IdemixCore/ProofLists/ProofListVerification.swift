import CryptoCore
import VerificationCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One run of the checks over one list.
struct ProofListVerification: ~Copyable {
    let proofs: [IdemixProof]
    let expectations: [IdemixProofExpectation]
    let challenge: IdemixChallenge
    let limits: IdemixProofList.Limits

    private var checklist: Checklist
    /// The content of the metadata attributes, by the position of their proofs.
    private var metadata: [Int: MetadataAttribute] = [:]
    /// The verified accumulators, by the position of their proofs.
    private var accumulators: [Int: RevocationAccumulator] = [:]

    init(
        proofs: [IdemixProof],
        expectations: [IdemixProofExpectation],
        challenge: IdemixChallenge,
        limits: IdemixProofList.Limits,
        at time: Date
    ) {
        self.proofs = proofs
        self.expectations = expectations
        self.challenge = challenge
        self.limits = limits
        checklist = Checklist(IdemixProofList.checks, at: time)
    }

    /// Makes the checks up to the first that fails.
    mutating func run() {
        for check in IdemixProofList.checks {
            do throws(CheckFault) {
                try make(check)
                checklist.record(check, .passed)
            } catch {
                checklist.record(check, error.outcome, at: error.path)
            }
            if checklist.isRefused { return }
        }
    }

    /// Draws the verdict.
    consuming func verification() -> Verification<VerifiedIdemixProofList> {
        let verified = verified
        return checklist.verification(of: verified)
    }

    /// The content of the proofs, if no check has failed.
    private var verified: VerifiedIdemixProofList? {
        checklist.isRefused ? nil : VerifiedIdemixProofList(proofs: shown())
    }

    private mutating func make(_ check: Check) throws(CheckFault) {
        switch check {
        case .proofCount: try checkCount()
        case .limits: try checkLimits()
        case .credentialType: try checkCredentialTypes()
        case .issuerKey: try checkIssuerKeys()
        case .commonChallenge: try checkCommonChallenge()
        case .holderBinding: try checkSecretKey()
        case .validity: try checkValidity()
        case .status: try checkStatus()
        case .proof: try checkChallenge()
        default: try checkEachProof(check)
        }
    }

    /// Makes a check that looks at one proof at a time.
    private func checkEachProof(_ check: Check) throws(CheckFault) {
        for (position, pair) in zip(proofs, expectations).enumerated() {
            if let (reason, message) = deviation(of: pair.0, from: pair.1, check) {
                throw Self.fault(reason, message, in: position)
            }
        }
    }

    private func deviation(
        of proof: IdemixProof,
        from expectation: IdemixProofExpectation,
        _ check: Check
    ) -> (Reason, String)? {
        switch (proof, expectation) {
        case (.disclosure(let proof), .disclosure(let expectation)):
            DisclosureChecks(proof: proof, expectation: expectation).deviation(check)
        case (.issuance(let proof), .issuance(let expectation)):
            IssuanceChecks(proof: proof, expectation: expectation).deviation(check)
        case (.disclosure, .issuance): (.unexpectedType, "a disclosure where a commitment was expected")
        case (.issuance, .disclosure): (.unexpectedType, "a commitment where a disclosure was expected")
        }
    }

    private static func fault(_ reason: Reason, _ message: String, in position: Int? = nil) -> CheckFault {
        .failed(reason, message, path: position.map { ["proofs[\($0)]"] } ?? [])
    }

    private func checkCount() throws(CheckFault) {
        guard !proofs.isEmpty else { throw Self.fault(.malformed, "the list is empty") }
        guard proofs.count == expectations.count else {
            throw Self.fault(.malformed, "\(proofs.count) proofs where \(expectations.count) were expected")
        }
    }

    private func checkLimits() throws(CheckFault) {
        func check(_ number: Int, _ limit: Int, _ unit: String, in position: Int? = nil) throws(CheckFault) {
            guard number <= limit else {
                throw Self.fault(.limitExceeded, "\(number) \(unit), \(limit) allowed", in: position)
            }
        }
        try check(proofs.count, limits.proofs, "proofs")
        var disclosedBits = 0
        var work = VerificationWork()
        for (position, (proof, expectation)) in zip(proofs, expectations).enumerated() {
            work.add(proof, expectation.publicKey.parameters)
            try check(work.multiplications, limits.multiplications, "multiplications", in: position)
            guard case .disclosure(let proof) = proof else { continue }
            disclosedBits = proof.disclosedAttributes.values.reduce(disclosedBits) { $0 + $1.bitCount }
            try check(disclosedBits, limits.disclosedBits, "bits of disclosed integers", in: position)
        }
    }

    private func checkCommonChallenge() throws(CheckFault) {
        guard let other = proofs.firstIndex(where: { $0.challenge != proofs[0].challenge }) else { return }
        throw Self.fault(.invalidProof, "the challenge differs from the first proof's", in: other)
    }

    /// Proofs of a group, those with the same keyshare server, have the same response for the secret key.
    private func checkSecretKey() throws(CheckFault) {
        var responses: [String?: BigInteger] = [:]
        for (position, pair) in zip(proofs, expectations).enumerated() {
            guard let response = pair.0.secretKeyResponse else {
                throw Self.fault(.invalidHolderBinding, "there is no response for the secret key", in: position)
            }
            let group = pair.1.keyshareServer
            guard responses[group] == nil || responses[group] == response else {
                let message = "the secret key is another than in an earlier proof"
                throw Self.fault(.invalidHolderBinding, message, in: position)
            }
            responses[group] = response
        }
    }

    /// The metadata can be read and names the expected type, if one is expected.
    private mutating func checkCredentialTypes() throws(CheckFault) {
        var isExpected = false
        for (position, pair) in zip(proofs, expectations).enumerated() {
            guard case .disclosure(let proof) = pair.0, case .disclosure(let expectation) = pair.1 else { continue }
            do throws(IdemixError) {
                metadata[position] = try proof.metadata()
            } catch {
                throw .failed(.malformed, error.message, path: ["proofs[\(position)]"] + error.path)
            }
            guard let type = expectation.credentialType else { continue }
            isExpected = true
            guard metadata[position]?.describes(credentialType: type.identifier) == true else {
                throw Self.fault(
                    .unexpectedType,
                    "the metadata names another type than \(type.identifier)",
                    in: position
                )
            }
        }
        if !isExpected { throw .notApplicable("no credential type is expected") }
    }

    /// The metadata names the key by its counter.
    private func checkIssuerKeys() throws(CheckFault) {
        for (position, metadata) in metadata.sorted(by: { $0.key < $1.key }) {
            let counter = expectations[position].publicKey.counter
            guard UInt(metadata.keyCounter) == counter else {
                let message = "the metadata names the key \(metadata.keyCounter), the expected one is \(counter)"
                throw Self.fault(.issuerKeyNotFound, message, in: position)
            }
        }
        if metadata.isEmpty { throw .notApplicable("no credential is shown") }
    }

    /// The metadata's period, which has to include the time and to begin before the issuer's key expired.
    ///
    /// Where expired credentials are accepted, only the latter counts.
    private func checkValidity() throws(CheckFault) {
        let time = VerificationTime(checklist.time)
        var (isLeft, isWaived, isChecked) = (false, false, false)
        for (position, metadata) in metadata.sorted(by: { $0.key < $1.key }) {
            guard case .disclosure(let expectation) = expectations[position] else { continue }
            guard !expectation.leavesValidity else {
                isLeft = true
                continue
            }
            let acceptsExpired = expectation.acceptsExpired
            if acceptsExpired { isWaived = true } else { isChecked = true }
            let deviation =
                acceptsExpired
                ? metadata.deviation(from: expectation.publicKey)
                : metadata.deviation(from: time, publicKey: expectation.publicKey)
            if let (reason, message) = deviation {
                throw .failed(reason, message, path: ["proofs[\(position)]", "metadata"])
            }
        }
        guard !isChecked else { return }
        if isWaived { throw .waived(by: "acceptsExpired") }
        throw isLeft ? .waived(by: "leavesValidity") : .notApplicable("no credential is shown")
    }

    /// Proofs of non-revocation stand where they are required, and about accumulators that the issuer signed and that are
    /// recent enough.
    private mutating func checkStatus() throws(CheckFault) {
        for (position, pair) in zip(proofs, expectations).enumerated() {
            guard case (.disclosure(let proof), .disclosure(let expectation)) = pair else { continue }
            guard let nonRevocation = proof.nonRevocation else {
                guard case .required = expectation.nonRevocation else { continue }
                throw Self.fault(.statusUnknown, "there is no proof of non-revocation", in: position)
            }
            do throws(IdemixError) {
                let accumulator = try nonRevocation.signedAccumulator.verified(by: expectation.publicKey)
                let minimum = expectation.nonRevocation.minimumAccumulatorIndex
                guard accumulator.index >= minimum else {
                    throw IdemixError(
                        .outOfRange,
                        "the accumulator \(accumulator.index) is older than the last event of the request, \(minimum)"
                    )
                }
                accumulators[position] = accumulator
            } catch {
                throw Self.fault(.statusUnknown, error.description, in: position)
            }
        }
        if accumulators.isEmpty { throw .notApplicable("no proof of non-revocation was requested") }
    }

    /// Compares c with H(context, contributions, nonce).
    private func checkChallenge() throws(CheckFault) {
        var contributions: [BigInteger] = []
        for (position, pair) in zip(proofs, expectations).enumerated() {
            do throws(IdemixError) {
                contributions += try self.contributions(of: pair.0, publicKey: pair.1.publicKey, position: position)
            } catch {
                throw Self.fault(.invalidProof, error.description, in: position)
            }
        }
        let expected = challenge.hash(of: contributions)
        guard constantTimeEqual(expected.bytes(paddedTo: 32), proofs[0].challenge.bytes(paddedTo: 32)) else {
            throw Self.fault(.invalidProof, "the challenge is not the hash of the rebuilt commitments")
        }
    }
}

extension ProofListVerification {
    private func contributions(
        of proof: IdemixProof,
        publicKey: IdemixIssuerPublicKey,
        position: Int
    ) throws(IdemixError) -> [BigInteger] {
        switch proof {
        case .issuance(let proof): try proof.contributions(publicKey: publicKey)
        case .disclosure(let proof): try contributions(of: proof, publicKey: publicKey, position: position)
        }
    }

    private func contributions(
        of proof: IdemixDisclosureProof,
        publicKey: IdemixIssuerPublicKey,
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

    /// The content of the proofs.
    private func shown() -> [VerifiedIdemixProof] {
        zip(proofs, expectations).enumerated().compactMap { position, pair in
            switch pair.0 {
            case .issuance(let proof):
                .issuance(
                    VerifiedIdemixCommitment(
                        value: proof.U,
                        blindIndices: Set(proof.attributeResponses.keys),
                        publicKey: pair.1.publicKey
                    )
                )
            case .disclosure(let proof): shown(proof, at: position)
            }
        }
    }

    /// The content of a disclosure, whose metadata a check has read.
    private func shown(_ proof: IdemixDisclosureProof, at position: Int) -> VerifiedIdemixProof? {
        guard let metadata = metadata[position], case .disclosure(let expectation) = expectations[position] else {
            return nil
        }
        return .disclosure(
            VerifiedIdemixDisclosure(
                publicKey: expectation.publicKey,
                credentialType: expectation.credentialType,
                metadata: metadata,
                attributes: proof.disclosedAttributes,
                lastIndex: proof.attributeResponses.count + proof.disclosedAttributes.count - 1,
                accumulator: accumulators[position],
                rangeProofs: proof.rangeProofs
            )
        )
    }
}
