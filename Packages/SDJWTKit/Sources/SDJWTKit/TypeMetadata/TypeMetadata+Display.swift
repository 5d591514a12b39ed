public import JSONKit

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
    /// - Throws: ``SDJWTError/Code/claimPathMismatch``, ``SDJWTError/Code/limitExceeded`` beyond ``maximumVisits``; neither for
    ///   a payload that was validated.
    public func displayedClaims(
        of payload: SDJWTPayload,
        for languages: [String]
    ) throws(SDJWTError) -> [DisplayedClaim] {
        var displayed: [DisplayedClaim] = []
        var budget = VisitBudget(Self.maximumVisits)
        for claim in claims {
            let selected = try payload.root.selections(at: claim.path, countsWithheld: true, within: &budget)
                .map(\.claim).filter { !$0.isWithheld }
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

/// A claim of a credential as it is shown to people.
public struct DisplayedClaim: Hashable, Sendable {
    /// The path of the claim, or set of claims, in the type's metadata.
    public let path: ClaimPath
    /// The claim's name; nil if the metadata give none.
    public let label: String?
    /// More about the claim, or nil.
    public let description: String?
    /// The name of the claim's place in SVG templates, or nil.
    public let svgID: String?
    /// The present values, at least one; what is inside them is not escaped for any format.
    public let values: [JSONValue]
    /// Indicates that the issuer lets the holder hide one of the values, or something inside it.
    public let isConcealable: Bool
}

/// Chooses among texts in several languages (RFC 4647, section 3.4).
enum LanguageChoice {
    /// The entry in the best preferred language, or the first entry if none matches.
    ///
    /// A preference is shortened until an entry matches, and then also matches more specific entries: for `de-AT` comes
    /// `de-AT`, then `de`, then `de-CH`.
    static func best<Entry>(of entries: [Entry], locale: (Entry) -> String, for languages: [String]) -> Entry? {
        let tags = entries.map { subtags(locale($0)) }
        for language in languages {
            var wanted = subtags(language)
            while !wanted.isEmpty {
                if let index = tags.firstIndex(of: wanted) { return entries[index] }
                wanted.removeLast()
                // A single letter only introduces what follows it.
                if wanted.last?.utf8.count == 1 { wanted.removeLast() }
            }
            let primary = subtags(language).prefix(1)
            if !primary.isEmpty, let index = tags.firstIndex(where: { $0.prefix(1) == primary }) {
                return entries[index]
            }
        }
        return entries.first
    }

    private static func subtags(_ tag: String) -> [String] {
        tag.lowercased().split(separator: "-").map(String.init)
    }
}
