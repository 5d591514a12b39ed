/// A credential type's metadata about a claim, or a set of claims (SD-JWT VC, claim metadata).
public struct ClaimMetadata: Hashable, Sendable {
    /// Indicates that a claim may be selectively disclosable.
    public enum SelectiveDisclosure: String, Hashable, Sendable {
        /// It must be.
        case always
        /// It may be.
        case allowed
        /// It must not be.
        case never
    }

    /// The path of the claims.
    public let path: ClaimPath

    /// Their names for people, one a language; nil if the type gives none.
    public internal(set) var display: [ClaimDisplay]?

    /// Indicates that an issuer must include the claim; nil if the type does not say, which means optional.
    public internal(set) var mandatory: Bool?

    /// The rule for selective disclosure of the claim; nil if the type does not say, which means allowed.
    public internal(set) var selectiveDisclosure: SelectiveDisclosure?

    /// The name of the claim's place in SVG templates, or nil.
    public internal(set) var svgID: String?

    /// Indicates that an issuer must include the claim.
    public var isMandatory: Bool { mandatory ?? false }
}

/// The name of a claim in one language (SD-JWT VC, claim display metadata).
public struct ClaimDisplay: Hashable, Sendable {
    /// The language (RFC 5646).
    public let locale: String
    /// The claim's name for people.
    public let label: String
    /// More about the claim for people, or nil.
    public let description: String?
}
