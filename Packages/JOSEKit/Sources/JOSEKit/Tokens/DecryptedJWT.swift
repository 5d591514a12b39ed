/// The claims of a token that was encrypted and not signed, and whose type and claims passed the policy.
///
/// Any owner of the key may have written them; with a public key that is anyone.
public struct DecryptedJWT: Sendable {
    /// The claims.
    public let claims: JWTClaims

    /// The decrypted object.
    public let layer: DecryptedJWE

    init(claims: JWTClaims, layer: DecryptedJWE) {
        self.claims = claims
        self.layer = layer
    }
}
