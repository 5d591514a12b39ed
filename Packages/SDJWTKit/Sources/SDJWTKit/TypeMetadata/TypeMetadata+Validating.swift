extension TypeMetadata {
    /// The largest number of values of a payload that the claims of the metadata may visit together, those of arrays on the
    /// way included: 200,000.
    public static let maximumVisits = 200_000

    /// Refuses claims that violate the demands of the type (SD-JWT VC, claim metadata).
    ///
    /// A verifier of a presentation does not see all claims. A mandatory claim is therefore missing only if no digest
    /// could stand for it or for what it is in, and hidden claims do not violate `sd`; hidden elements of arrays are visible as such.
    /// No digest stands for a claim itself that must not be selectively disclosable.
    ///
    /// - Parameters:
    ///   - payload: The processed payload.
    ///   - expectsAllDisclosures: `true` if all Disclosures of the issuer are present, as they are for the holder. The
    ///     remaining digests are decoys then.
    /// - Throws: ``SDJWTError`` with code ``SDJWTError/Code/missingClaim``, ``SDJWTError/Code/claimNotConcealable``,
    ///   ``SDJWTError/Code/claimMismatch`` for a claim that must be selectively disclosable and is not,
    ///   ``SDJWTError/Code/claimPathMismatch``, or ``SDJWTError/Code/limitExceeded`` beyond ``maximumVisits``.
    public func validate(_ payload: SDJWTPayload, expectsAllDisclosures: Bool) throws(SDJWTError) {
        var budget = VisitBudget(Self.maximumVisits)
        for claim in claims {
            let selected = try payload.root.selections(at: claim.path, countsWithheld: true, within: &budget)
                .map(\.claim)
            // With all Disclosures, what is withheld is a decoy.
            let isPresent = selected.contains { !expectsAllDisclosures || !$0.isWithheld }
            if claim.isMandatory, !isPresent {
                let isHidden = expectsAllDisclosures ? false : try payload.root.mayHide(claim, within: &budget)
                guard isHidden else {
                    throw SDJWTError(.missingClaim, "the mandatory claim \(claim.path) is not there")
                }
            }
            for value in selected { try claim.validate(value) }
        }
    }
}

extension ClaimMetadata {
    fileprivate func validate(_ claim: ProcessedClaim) throws(SDJWTError) {
        let isConcealable = claim.isWithheld || claim.disclosure != nil
        switch selectiveDisclosure ?? .allowed {
        case .always where !isConcealable:
            throw SDJWTError(.claimMismatch, "the claim \(path) is not selectively disclosable")
        case .never where isConcealable:
            throw SDJWTError(.claimNotConcealable, "the claim \(path) is selectively disclosable")
        default: break
        }
    }
}

extension ProcessedClaim {
    /// Returns `true` if a claim that its path does not select may still exist, behind a digest without its Disclosure.
    fileprivate func mayHide(_ metadata: ClaimMetadata, within budget: inout VisitBudget) throws(SDJWTError) -> Bool {
        let path = metadata.path
        var selected = [self]
        for (depth, component) in path.components.enumerated() {
            let isItself = depth == path.components.count - 1
            let isConcealable = !isItself || metadata.selectiveDisclosure != .never
            var next: [ProcessedClaim] = []
            for claim in selected {
                try budget.visit(claim)
                switch (claim.content, component) {
                case (.withheld, _): return true
                case (.object(isComplete: false), .name(let name)) where isConcealable && claim.member(name) == nil:
                    return true
                case (_, .name(let name)): next += claim.member(name).map { [$0] } ?? []
                case (_, .index(let index)):
                    let elements = claim.elements
                    if elements.indices.contains(index) { next.append(elements[index]) }
                case (_, .all): next += claim.elements
                }
            }
            selected = next
        }
        return false
    }
}
