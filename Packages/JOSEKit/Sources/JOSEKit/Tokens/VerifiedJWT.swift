/// The claims of a token whose every signature was verified and whose type and claims passed the policy.
///
/// Only the verifications of ``JWT`` make values of this type.
public struct VerifiedJWT: Sendable {
    /// The claims.
    public let claims: JWTClaims

    /// The verified objects, from the outermost to the one that holds the claims.
    public let layers: [VerifiedJWS]

    /// The protected header of the object that holds the claims.
    public let header: JOSEHeader

    init(claims: JWTClaims, layers: [VerifiedJWS], header: JOSEHeader) {
        self.claims = claims
        self.layers = layers
        self.header = header
    }
}
