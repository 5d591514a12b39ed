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
}

extension Set<SDJWTTolerance> {
    /// Every tolerance.
    public static let deployed: Set<SDJWTTolerance> = [.earlierType]
}
