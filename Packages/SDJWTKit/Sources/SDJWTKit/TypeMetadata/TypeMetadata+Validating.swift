extension TypeMetadata {
    /// Refuses claims that are not as the type demands (SD-JWT VC, claim metadata).
    ///
    /// Whoever looks at a presentation does not see all claims. So a mandatory claim is missed only where no digest could
    /// stand for it, and what is not seen is not held against `sd`; elements of arrays are seen to be hidden.
    ///
    /// - Parameters:
    ///   - payload: The processed payload.
    ///   - seesEverything: Whether all Disclosures that the issuer made are there, as they are for the holder: what digests
    ///     remain are decoys then.
    /// - Throws: ``SDJWTError`` with code ``SDJWTError/Code/missingClaim``, ``SDJWTError/Code/claimNotConcealable``,
    ///   ``SDJWTError/Code/claimMismatch`` for a claim that must be selectively disclosable and is not, or
    ///   ``SDJWTError/Code/claimPathMismatch``.
    public func validate(_ payload: SDJWTPayload, seesEverything: Bool) throws(SDJWTError) {
        for claim in claims {
            let selected = try payload.root.selections(at: claim.path).map(\.claim)
            if claim.isMandatory, selected.isEmpty, seesEverything || !payload.root.mayHide(claim.path) {
                throw SDJWTError(.missingClaim, "the mandatory claim \(claim.path) is not there")
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
    /// Whether a claim that a path does not select may nevertheless be there, behind a digest without its Disclosure.
    fileprivate func mayHide(_ path: ClaimPath) -> Bool {
        var selected = [self]
        for component in path.components {
            var next: [ProcessedClaim] = []
            for claim in selected {
                switch (claim.content, component) {
                case (.withheld, _): return true
                case (.object(isComplete: false), .name(let name)) where claim.member(name) == nil: return true
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
