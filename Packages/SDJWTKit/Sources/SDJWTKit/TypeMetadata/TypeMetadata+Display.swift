extension TypeMetadata {
    /// How the type is shown to somebody; nil where the metadata do not say.
    ///
    /// - Parameter languages: The languages that they read, the best first, such as `["de-AT", "en"]`.
    public func display(for languages: [String]) -> TypeDisplay? {
        LanguageChoice.best(of: display, locale: \.locale, for: languages)
    }

    /// The claims that are there and that the metadata describe, in the order of the metadata.
    ///
    /// - Parameters:
    ///   - payload: The processed payload.
    ///   - languages: The languages that somebody reads, the best first.
    /// - Throws: ``SDJWTError/Code/claimPathMismatch``; not for a payload that was validated.
    public func displayedClaims(
        of payload: SDJWTPayload,
        for languages: [String]
    ) throws(SDJWTError) -> [DisplayedClaim] {
        var displayed: [DisplayedClaim] = []
        for claim in claims {
            let selected = try payload.root.selections(at: claim.path).map(\.claim).filter { !$0.isWithheld }
            guard !selected.isEmpty else { continue }
            let display = LanguageChoice.best(of: claim.display ?? [], locale: \.locale, for: languages)
            displayed.append(
                DisplayedClaim(
                    path: claim.path,
                    label: display?.label,
                    description: display?.description,
                    svgID: claim.svgID,
                    values: selected.compactMap(\.value),
                    isConcealable: selected.contains { !$0.isPlain }
                )
            )
        }
        return displayed
    }
}
