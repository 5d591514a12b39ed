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
