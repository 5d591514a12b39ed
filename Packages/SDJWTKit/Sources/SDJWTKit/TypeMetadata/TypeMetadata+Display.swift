extension TypeMetadata {
    /// The display properties of the type in the best preferred language; nil without any in the metadata.
    ///
    /// - Parameter languages: The preferred languages, the best first, such as `["de-AT", "en"]`.
    public func display(for languages: [String]) -> TypeDisplay? {
        LanguageChoice.best(of: display, locale: \.locale, for: languages)
    }

    /// The claims that are present and described by the metadata, in the order of the metadata.
    ///
    /// - Parameters:
    ///   - payload: The processed payload.
    ///   - languages: The preferred languages, the best first.
    /// - Throws: ``SDJWTError/Code/claimPathMismatch``; not for a payload that was validated.
    public func displayedClaims(
        of payload: SDJWTPayload,
        for languages: [String]
    ) throws(SDJWTError) -> [DisplayedClaim] {
        var displayed: [DisplayedClaim] = []
        for claim in claims {
            let selected = try payload.root.selections(at: claim.path, countsWithheld: true).map(\.claim).filter {
                !$0.isWithheld
            }
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
