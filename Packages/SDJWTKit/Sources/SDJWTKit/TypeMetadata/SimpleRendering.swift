/// Colours and images of a credential (SD-JWT VC, rendering method `simple`).
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
    /// The colour behind the text as CSS writes it, or nil; not checked.
    public let backgroundColor: String?
    /// The colour of the text as CSS writes it, or nil; not checked.
    public let textColor: String?
}
