/// What a credential's type says about a claim, or a set of them (SD-JWT VC, claim metadata).
public struct ClaimMetadata: Hashable, Sendable {
    /// Whether a claim may be selectively disclosable.
    public enum SelectiveDisclosure: String, Hashable, Sendable {
        /// It must be.
        case always
        /// It may be.
        case allowed
        /// It must not be.
        case never
    }

    /// Which claims are meant.
    public let path: ClaimPath

    /// Their names for people, one a language; nil where the type gives none.
    public internal(set) var display: [ClaimDisplay]?

    /// Whether an issuer must include the claim; nil where the type does not say, which means that it need not.
    public internal(set) var mandatory: Bool?

    /// Whether the claim may be selectively disclosable; nil where the type does not say, which means that it may.
    public internal(set) var selectiveDisclosure: SelectiveDisclosure?

    /// The name of the claim's place in SVG templates, or nil.
    public internal(set) var svgID: String?

    /// Whether an issuer must include the claim.
    public var isMandatory: Bool { mandatory ?? false }
}
