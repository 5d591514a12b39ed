import JOSEKit
import JSONKit

extension SDJWT {
    /// The SD-JWT with only those Disclosures that some claims need (RFC 9901, section 7.2).
    ///
    /// A claim needs its own Disclosure, those of everything around it, and those of everything inside it: a request
    /// for an object gets the whole object. No other Disclosure is included; the issuer's order is kept.
    ///
    /// A Key Binding JWT is left out, since it covers another selection.
    /// - Parameter paths: The claims to disclose; open claims may be among them. Elements are counted as they stand in the
    ///   processed payload, without decoys.
    /// - Throws: ``SDJWTError`` with code ``SDJWTError/Code/claimNotFound`` for a path that selects nothing,
    ///   ``SDJWTError/Code/claimPathMismatch``, and a code of the rules for Disclosures.
    public func presentation(disclosing paths: [ClaimPath]) throws(SDJWTError) -> SDJWT {
        let root = try unverifiedPayload().root
        var chosen: Set<Int> = []
        for path in paths {
            let selections = try root.selections(at: path, countsWithheld: false).filter { !$0.claim.isWithheld }
            guard !selections.isEmpty else {
                throw SDJWTError(.claimNotFound, "the path \(path) selects nothing", path: ["SD-JWT"])
            }
            for selection in selections {
                chosen.formUnion(selection.disclosures)
                chosen.formUnion(selection.claim.allDisclosures)
            }
        }
        return try keeping(chosen)
    }

    /// The SD-JWT with a choice of its Disclosures (RFC 9901, section 7.2).
    ///
    /// - Parameter isChosen: Returns `true` for a Disclosure to include.
    /// - Throws: ``SDJWTError`` with code ``SDJWTError/Code/unreferencedDisclosure`` if one is chosen whose digest
    ///   stands in another that is not.
    public func presentation(keeping isChosen: (SDJWTDisclosure) -> Bool) throws(SDJWTError) -> SDJWT {
        let presentation = try keeping(Set((0..<disclosureList.count).filter { isChosen(disclosureList[$0]) }))
        _ = try presentation.unverifiedPayload()
        return presentation
    }

    private func keeping(_ chosen: Set<Int>) throws(SDJWTError) -> SDJWT {
        let kept = SeparateDisclosures((0..<disclosureList.count).filter(chosen.contains).map { disclosureList[$0] })
        return try SDJWT(
            serialization,
            issuerSignedJWT,
            payload: payload,
            kept,
            presentedText: try Self.presentedText(issuerSignedJWT, kept)[...],
            keyBindingText: nil,
            limits: limits
        )
    }
}
