/// The claims of a token that was encrypted and not signed, and whose type and claims passed the policy.
///
/// Whoever knows the key may have written them; with a public key that is anyone.
public struct DecryptedJWT: Sendable {
    /// The claims.
    public let claims: JWTClaims

    /// What was decrypted.
    public let layer: DecryptedJWE

    init(claims: JWTClaims, layer: DecryptedJWE) {
        self.claims = claims
        self.layer = layer
    }
}
