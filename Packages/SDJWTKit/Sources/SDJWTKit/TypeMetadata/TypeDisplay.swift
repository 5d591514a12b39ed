/// The display properties of a credential's type in one language (SD-JWT VC, display metadata).
public struct TypeDisplay: Hashable, Sendable {
    /// The language (RFC 5646).
    public let locale: String
    /// The type's name for people.
    public let name: String
    /// More about the type for people, or nil.
    public let description: String?
    /// Colors and images, or nil.
    public let simpleRendering: SimpleRendering?
    /// Pictures with places for claims; empty if there are none.
    public let svgTemplates: [SVGTemplateReference]
}

/// Colors and images of a credential (SD-JWT VC, rendering method `simple`).
public struct SimpleRendering: Hashable, Sendable {
    /// A picture that a type refers to.
    public struct Image: Hashable, Sendable {
        /// An https or data URL.
        public let uri: String
        /// The digests that the picture must have, or nil.
        public let integrity: IntegrityMetadata?
        /// Alternative text; nil for none.
        public let alternativeText: String?
    }

    /// The logo, or nil.
    public let logo: Image?
    /// The picture behind the text, or nil.
    public let backgroundImage: Image?
    /// The color behind the text as CSS writes it, or nil; not checked.
    public let backgroundColor: String?
    /// The color of the text as CSS writes it, or nil; not checked.
    public let textColor: String?
}

/// A picture with places for claims (SD-JWT VC, rendering method `svg_templates`).
///
/// It is untrusted: draw it without running code or loading anything, and escape the claims.
public struct SVGTemplateReference: Hashable, Sendable {
    /// An https or data URL.
    public let uri: String
    /// The digests that the template must have, or nil.
    public let integrity: IntegrityMetadata?
    /// `portrait` or `landscape`, or nil for either.
    public let orientation: String?
    /// `light` or `dark`, or nil for either.
    public let colorScheme: String?
    /// `normal` or `high`, or nil for either.
    public let contrast: String?
}
