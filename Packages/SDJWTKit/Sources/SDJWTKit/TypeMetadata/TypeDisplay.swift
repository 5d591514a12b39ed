/// The display properties of a credential's type in one language (SD-JWT VC, display metadata).
public struct TypeDisplay: Hashable, Sendable {
    /// The language (RFC 5646).
    public let locale: String
    /// The type's name for people.
    public let name: String
    /// More about the type for people, or nil.
    public let description: String?
    /// Colours and images, or nil.
    public let simpleRendering: SimpleRendering?
    /// Pictures with places for claims; empty if there are none.
    public let svgTemplates: [SVGTemplateReference]
}
