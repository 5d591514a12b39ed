/// A deviation from SD-JWT VC that deployed issuers show, and that does not affect the signed content.
///
/// A tolerated deviation is reported in the verification.
public struct SDJWTTolerance: Hashable, Sendable, CustomStringConvertible {
    /// The tolerance's name.
    public let description: String

    private init(_ description: String) {
        self.description = description
    }

    /// A credential of type `vc+sd-jwt`, as drafts before November 2024 had it, instead of `dc+sd-jwt`.
    public static let earlierType = SDJWTTolerance("earlierType")

    /// Issuer metadata at `/.well-known/jwt-vc-issuer` below the issuer's path, as drafts before February 2024 had it, instead
    /// of between host and path.
    ///
    /// It is an option of ``IssuerMetadataKeys``, which asks there only after the specified place had no document (status
    /// 404 or 410).
    public static let appendedMetadataPath = SDJWTTolerance("appendedMetadataPath")
}

extension Set<SDJWTTolerance> {
    /// Every tolerance.
    public static let deployed: Set<SDJWTTolerance> = [.earlierType, .appendedMetadataPath]
}
