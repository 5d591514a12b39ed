/// The demands of SD-JWT and SD-JWT VC on names, types and claims.
enum SDJWTProfile {
    /// The value of `typ` of an SD-JWT VC.
    static let credentialType = "dc+sd-jwt"
    /// The value of `typ` that drafts of SD-JWT VC before 2024-11 demanded.
    static let earlierCredentialType = "vc+sd-jwt"

    /// The claims that decide about validity (RFC 9901, section 9.7).
    static let validityClaims: Set<String> = ["iss", "aud", "exp", "nbf", "cnf"]

    /// The claims of an SD-JWT VC that must not be selectively disclosable (SD-JWT VC, registered JWT claims).
    static let openCredentialClaims: Set<String> = [
        "iss", "nbf", "exp", "cnf", "vct", "vct#integrity", "aka_vcts", "status",
    ]
}
