public import JSONKit

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
