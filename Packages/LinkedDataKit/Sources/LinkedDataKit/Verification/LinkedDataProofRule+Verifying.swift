import VerificationCore

extension LinkedDataProofRule {
    /// The verified proofs of a document, if the rule is met.
    func verified(
        _ document: SecuredDocument,
        _ verifications: [Verification<VerifiedLinkedDataProof>]
    ) throws(CheckFault) -> [VerifiedLinkedDataProof] {
        let needed = document.proofs.indices.filter { isNeeded(document.proofs[$0]) }
        guard !needed.isEmpty else {
            throw .failed(
                .missingProof,
                document.proofs.isEmpty ? "the document has no proof" : "no proof is of the suite"
            )
        }
        let refusals = needed.compactMap { index in verifications[index].refusal.map { (index, $0) } }
        let isMet = self == .any ? refusals.count < needed.count : refusals.isEmpty
        if !isMet, let (index, refusal) = refusals.first {
            let path = [document.name(ofProofAt: index)] + refusal.path
            let message = "\(refusal.check): \(refusal.message)"
            throw refusal.isUnavailable
                ? .unavailable(refusal.reason, message, path: path) : .failed(refusal.reason, message, path: path)
        }
        return verifications.compactMap(\.verified)
    }

    /// Returns `true` for a proof that counts for the rule.
    private func isNeeded(_ proof: LinkedDataProof) -> Bool {
        if case .ofSuite(let suite) = self { proof.suite == suite } else { true }
    }
}

extension SecuredDocument {
    /// Refuses two proofs with one identifier.
    func requireDistinctProofs() throws(CheckFault) {
        var ids: Set<ExactText> = []
        for (index, proof) in proofs.enumerated() {
            guard let id = proof.id, !ids.insert(id).inserted else { continue }
            throw .failed(.malformed, "two proofs have the identifier \(id)", path: [name(ofProofAt: index), "id"])
        }
    }

    /// The places of the proofs, each after those that it covers; those of a circle come last.
    var orderOfProofs: [Int] {
        var order: [Int] = []
        var waiting = Array(proofs.indices)
        while true {
            let ids = Set(waiting.compactMap { proofs[$0].id })
            let (ready, blocked) = waiting.reduce(into: ([Int](), [Int]())) { parts, index in
                if proofs[index].previousProofs.allSatisfy({ !ids.contains($0) }) {
                    parts.0.append(index)
                } else {
                    parts.1.append(index)
                }
            }
            order += ready
            guard !ready.isEmpty, !blocked.isEmpty else { return order + blocked }
            waiting = blocked
        }
    }

    /// The proofs that a proof covers, in the order of the document, if each verified.
    func proofs(
        coveredBy proof: LinkedDataProof,
        _ results: [Verification<VerifiedLinkedDataProof>?]
    ) -> Result<[LinkedDataProof], CheckFault> {
        for id in proof.previousProofs {
            guard let index = proofs.firstIndex(where: { $0.id == id }) else {
                let message = "the document has no proof \(id)"
                return .failure(.failed(.previousProofNotVerified, message, path: ["previousProof"]))
            }
            guard results[index]?.verified != nil else {
                let message = "the proof \(id) does not verify, or is part of a circle"
                return .failure(.failed(.previousProofNotVerified, message, path: ["previousProof"]))
            }
        }
        return .success(proofs.filter { proof.previousProofs.contains($0.id ?? "") && $0.id != nil })
    }
}
