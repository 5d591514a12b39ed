public import VerificationCore

// The checks of SD-JWTs beside those that all formats share.
extension Check {
    /// The issuer signed with an algorithm that is accepted; `none` and MACs never are.
    public static let issuerAlgorithm: Check = "issuerAlgorithm"
    /// Claims that must be open are not selectively disclosable.
    public static let openClaims: Check = "openClaims"
    /// There is a Key Binding JWT if one is required, and none if none may be.
    public static let keyBinding: Check = "keyBinding"
    /// The credential names the holder's key in a way that can be used.
    public static let holderKey: Check = "holderKey"
    /// The holder signed with an algorithm that is accepted.
    public static let keyBindingAlgorithm: Check = "keyBindingAlgorithm"
    /// `typ` of the Key Binding JWT is `kb+jwt`.
    public static let keyBindingType: Check = "keyBindingType"
    /// `iat` of the Key Binding JWT lies within the accepted window, and its `exp` and `nbf`, if any, allow now.
    public static let keyBindingTime: Check = "keyBindingTime"
    /// `aud` of the Key Binding JWT is the verifier alone.
    public static let keyBindingAudience: Check = "keyBindingAudience"
    /// `sd_hash` covers exactly the presentation.
    public static let presentationHash: Check = "presentationHash"
    /// The holder authorized the requested transactions, and no others.
    public static let transactionData: Check = "transactionData"
    /// The claims are as the metadata of the credential's type demand.
    public static let typeMetadata: Check = "typeMetadata"
}

extension SDJWTVerifier {
    /// The checks of an SD-JWT, in the order of RFC 9901, chapter 7.
    ///
    /// `digests` stands for disclosures and digests (section 7.1, steps 3 to 5), `issuerTrust` for the issuer's right to the
    /// type of the credential (SD-JWT VC, issuer authorization), `holderBinding` for the holder's signature.
    public static let checks: [Check] =
        [.issuerAlgorithm, .type, .issuerKey, .issuerSignature, .digests, .openClaims, .requiredClaims]
        + ClaimsRules.checks
        + [
            .credentialType, .issuerTrust, .keyBinding, .holderKey, .keyBindingAlgorithm, .keyBindingType,
            .holderBinding,
            .keyBindingTime, .keyBindingAudience, .nonce, .presentationHash, .transactionData, .typeMetadata, .status,
        ]
}
