import IdemixCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One run of the checks over one list of proofs.
struct DisclosureVerification {
    let schemes: SchemeSnapshot
    let policy: DisclosurePolicy
    let proofs: IdemixProofList
    let indices: [[AttributePosition]]
    /// The request; nil for a signature that is verified alone.
    let request: SessionRequest?
    let issuing: [IdemixIssuanceExpectation]
    let challenge: IdemixChallenge
    /// The time at which credentials must be valid: for signatures the timestamp's.
    let time: Date
    let accumulators: KnownAccumulators

    private var disclosed: [[DisclosedAttribute]?] = []
    private var verified: VerifiedAttributes?

    init(
        schemes: SchemeSnapshot,
        policy: DisclosurePolicy,
        proofs: IdemixProofList,
        indices: [[AttributePosition]],
        request: SessionRequest?,
        issuing: [IdemixIssuanceExpectation],
        challenge: IdemixChallenge,
        time: Date,
        accumulators: KnownAccumulators
    ) {
        self.schemes = schemes
        self.policy = policy
        self.proofs = proofs
        self.indices = indices
        self.request = request
        self.issuing = issuing
        self.challenge = challenge
        self.time = time
        self.accumulators = accumulators
    }

    /// The answer.
    func outcome(_ checklist: consuming Checklist) -> DisclosureOutcome {
        let verified = checklist.isRefused ? nil : verified
        return DisclosureOutcome(checklist.verification(of: verified), disclosed: disclosed)
    }

    /// Makes the checks of ``DisclosureVerifier/checks`` up to the first that fails.
    mutating func makeChecks(in checklist: inout Checklist) {
        checklist.check(.structure) { () throws(CheckFault) in try checkStructure() }
        guard !checklist.isRefused else { return }
        let expectations = checklist.check(.issuerKey) { () throws(CheckFault) in try makeExpectations() }
        guard let expectations else { return }
        let list = verifiedList(expecting: expectations, in: &checklist)
        guard !checklist.isRefused else { return }
        let shown = checklist.check(.attributeValues) { () throws(CheckFault) in try credentials(in: list) }
        guard let shown else { return }
        checklist.check(.singletons) { () throws(CheckFault) in try checkSingletons(shown) }
        guard !checklist.isRefused else { return }
        let answers = checkAnswers(shown, in: &checklist)
        guard !checklist.isRefused else { return }
        checklist.check(.validity) { () throws(CheckFault) in try checkValidity(shown) }
        guard !checklist.isRefused else { return }
        verified = VerifiedAttributes(disclosed: answers, proofs: list)
    }

    private var disclosureCount: Int { proofs.proofs.count - issuing.count }

    /// No more proofs than the request can use, and places only inside the list.
    private func checkStructure() throws(CheckFault) {
        guard disclosureCount >= 0 else {
            throw .failed(.malformed, "\(proofs.proofs.count) proofs for \(issuing.count) credentials")
        }
        if let request {
            let usable = request.disclose.usableCredentialCount
            guard disclosureCount <= usable else {
                throw .failed(.limitExceeded, "\(disclosureCount) disclosures, of which the request can use \(usable)")
            }
            guard indices.count <= request.disclose.disjunctions.count else {
                throw .failed(.malformed, "more lists of places than disjunctions", path: ["indices"])
            }
        }
        for (position, places) in indices.enumerated() {
            for place in places where place.credential < 0 || place.credential >= disclosureCount || place.attribute < 1
            {
                throw .failed(.malformed, "a place outside the list of proofs", path: ["indices[\(position)]"])
            }
        }
    }

    private func makeExpectations() throws(CheckFault) -> [IdemixProofExpectation] {
        var expectations: [IdemixProofExpectation] = []
        for (position, proof) in proofs.proofs.prefix(disclosureCount).enumerated() {
            let place = "proofs[\(position)]"
            guard case .disclosure(let proof) = proof else {
                throw .failed(.unexpectedType, "a commitment where a disclosure was expected", path: [place])
            }
            do throws(IdemixError) {
                var expectation = try IdemixDisclosureExpectation(for: proof, from: schemes)
                expectation.nonRevocation = nonRevocation(expectation)
                // The period is checked after the request is matched, since results tell the one before the other.
                expectation.leavesValidity = true
                expectations.append(.disclosure(expectation))
            } catch {
                let reason: Reason = error.code == .invalidAttribute ? .malformed : .issuerKeyNotFound
                throw .failed(reason, error.message, path: [place] + error.path)
            }
        }
        return expectations + issuing.map { .issuance($0) }
    }

    private func nonRevocation(_ expectation: IdemixDisclosureExpectation) -> NonRevocationExpectation {
        guard let type = expectation.credentialType, let index = type.revocationIndex else { return .absent }
        guard let request else { return .allowed(index: index) }
        guard let demand = request.parameters.revocation?[CredentialTypeIdentifier(type.identifier)] else {
            return .absent
        }
        let last = demand.updates[expectation.publicKey.counter]?.events?.lastIndex
        return .required(index: index, minimumAccumulatorIndex: last ?? 0)
    }

    /// Verifies the list; an empty one has nothing to verify.
    ///
    /// Attributes come from a verified list only.
    private func verifiedList(
        expecting expectations: [IdemixProofExpectation],
        in checklist: inout Checklist
    ) -> VerifiedIdemixProofList? {
        guard !expectations.isEmpty else { return nil }
        let verification = proofs.verify(
            expecting: expectations,
            challenge: challenge,
            at: time,
            limits: policy.limits.admitting(issuing)
        )
        checklist.add(verification, named: "proofList")
        return verification.verified
    }

    private func credentials(in list: VerifiedIdemixProofList?) throws(CheckFault) -> [ShownCredential] {
        var shown: [ShownCredential] = []
        for case .disclosure(let disclosure) in list?.proofs ?? [] {
            let place = "proofs[\(shown.count)]"
            guard let type = disclosure.credentialType.map({ CredentialTypeIdentifier($0.identifier) }),
                let description = schemes.credentialType(type)
            else { throw .failed(.issuerKeyNotFound, "the credential type is unknown", path: [place]) }
            do throws(IRMAError) {
                shown.append(
                    try ShownCredential(
                        disclosure,
                        type: description,
                        notRevokedBefore: notRevokedBefore(disclosure, type: type)
                    )
                )
            } catch {
                throw .failed(.malformed, error.message, path: [place] + error.path)
            }
        }
        return shown
    }

    /// The time of the accumulator, where it is older than tolerated.
    private func notRevokedBefore(_ disclosure: VerifiedIdemixDisclosure, type: CredentialTypeIdentifier) -> Int64? {
        guard let accumulator = disclosure.accumulator else { return nil }
        var latest = accumulator.date
        if let known = accumulators[type]?[disclosure.publicKey.counter], known.index == accumulator.index {
            latest = max(latest, known.updated)
        }
        let tolerance =
            request?.parameters.revocation?[type]?.tolerance.flatMap { $0 == 0 ? nil : $0 }
            ?? policy.revocationTolerances[type] ?? policy.revocationTolerance
        // In whole seconds, as the existing server compares.
        guard time.timeIntervalSince(latest).rounded(.down) > Double(tolerance) else { return nil }
        return Int64(max(-9e15, min(9e15, latest.timeIntervalSince1970.rounded(.down))))
    }

    private func checkSingletons(_ shown: [ShownCredential]) throws(CheckFault) {
        var seen: Set<CredentialTypeIdentifier> = []
        for (position, credential) in shown.enumerated() where credential.type.isSingleton {
            guard seen.insert(credential.type.id).inserted else {
                throw .failed(
                    .malformed,
                    "a second credential of a type of which there is one",
                    path: ["proofs[\(position)]"]
                )
            }
        }
    }

    /// Matches the request; the attributes are those of every disjunction, then those that were not asked for.
    private mutating func checkAnswers(
        _ shown: [ShownCredential],
        in checklist: inout Checklist
    ) -> [[DisclosedAttribute]] {
        guard let request else {
            disclosed = shown.map(\.all)
            checklist.record(.requestedAttributes, .notApplicable("there is no request"))
            return shown.map(\.all)
        }
        let matching = DisclosureMatching(request.disclose, shown: shown, indices: indices)
        disclosed = matching.disclosed
        checklist.check(.requestedAttributes) { () throws(CheckFault) in
            if let position = matching.firstUnanswered {
                throw .failed(.missingClaim, "the disjunction is not answered", path: ["disclose[\(position)]"])
            }
        }
        return matching.disclosed.compactMap(\.self)
    }

    private func checkValidity(_ shown: [ShownCredential]) throws(CheckFault) {
        let clock = VerificationTime(time, clockSkew: policy.clockSkew)
        var (isWaived, isChecked) = (false, false)
        for (position, credential) in shown.enumerated() {
            let acceptsExpired = request?.skipExpiryCheck.contains(credential.type.id) == true
            if acceptsExpired { isWaived = true } else { isChecked = true }
            let (metadata, publicKey) = (credential.disclosure.metadata, credential.disclosure.publicKey)
            do throws(CheckFault) {
                if !acceptsExpired { try clock.requireNotExpired(at: metadata.expiryDate, named: "metadata") }
                // A request cannot waive the expiry of the key.
                guard metadata.signingDate <= publicKey.expiryDate else {
                    throw .failed(.expired, "it was signed after the issuer's key expired", path: ["metadata"])
                }
            } catch {
                throw error.inside("proofs[\(position)]")
            }
        }
        guard !isChecked else { return }
        throw isWaived ? .waived(by: "skipExpiryCheck") : .notApplicable("no credential is shown")
    }
}
