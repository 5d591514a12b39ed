/// The claims of a token whose every layer was verified or decrypted and whose claims passed the policy.
///
/// Only ``CWT/verify(policy:claims:at:options:key:)`` makes values of this type.
public struct VerifiedCWT: Sendable {
    /// The claims.
    public let claims: CWTClaims
    /// The verified payloads, from the outermost message to the one that holds the claims.
    public let layers: [COSEVerifiedPayload]

    init(claims: CWTClaims, layers: [COSEVerifiedPayload]) {
        self.claims = claims
        self.layers = layers
    }
}
