public import JOSEKit
public import VerificationCore

/// A recipient's demands on an SD-JWT.
public struct SDJWTVerificationPolicy: Sendable {
    /// The algorithms that issuers may sign with; MACs among them are skipped.
    public var issuerAlgorithms: JWSVerificationPolicy
    /// The algorithms that holders may sign with; MACs among them are skipped.
    public var holderAlgorithms: JWSVerificationPolicy
    /// The values of `typ` that are taken, without `application/`; nil for any or none.
    public var types: Set<String>?
    /// The hash functions of digests that are taken.
    public var hashAlgorithms: Set<SDHashAlgorithm> = SDHashAlgorithm.supported
    /// The claims that must not be selectively disclosable, not even in part.
    public var openClaims: Set<String>
    /// The required claims.
    public var requiredClaims: Set<String>
    /// The demands on the issuer's claims that tokens of all formats share; by default an SD-JWT with an `aud` is refused.
    ///
    /// They say which issuers are accepted by `iss`, beside the demand that their key is trusted.
    public var rules = ClaimsRules()
    /// The types of credentials that are taken, by `vct` and `aka_vcts`; nil for any.
    public var credentialTypes: Set<ExactText>?
    /// Indicates that the recipient gets all Disclosures of the issuer, as a holder does.
    ///
    /// An absent mandatory claim is then missing, and not just withheld. ``SDJWTVerifier/verifyForStorage(_:holderKey:)`` always
    /// expects them.
    public var expectsAllDisclosures = false
    /// The demand on the status of a credential: by default one that names a status must be valid.
    public var status = StatusPolicy.whenNamed
    /// The deviations of deployed issuers that are accepted, and reported; by default none.
    public var tolerances: Set<SDJWTTolerance> = []

    /// The demands of RFC 9901 on every SD-JWT.
    ///
    /// A claim that the issuer made selectively disclosable may be withheld, such as `exp`: add those that matter to
    /// ``openClaims`` (section 9.7).
    ///
    /// - Parameters:
    ///   - algorithms: The algorithms that issuers and holders may sign with.
    ///   - types: The values of `typ` that are taken; nil for any or none.
    public init(algorithms: JWSVerificationPolicy, types: Set<String>? = nil) {
        issuerAlgorithms = algorithms
        holderAlgorithms = algorithms
        self.types = types
        openClaims = []
        requiredClaims = []
    }

    /// The demands of SD-JWT VC on a credential: its `typ`, a `vct`, and that no claim which decides about validity can
    /// be hidden.
    ///
    /// - Parameters:
    ///   - algorithms: The algorithms that issuers and holders may sign with.
    ///   - credentialTypes: The types of credentials that are taken, by `vct` and `aka_vcts`; nil for any.
    ///   - tolerances: The deviations of deployed issuers that are accepted, and reported.
    public static func credential(
        algorithms: JWSVerificationPolicy,
        credentialTypes: Set<ExactText>? = nil,
        tolerances: Set<SDJWTTolerance> = []
    ) -> SDJWTVerificationPolicy {
        var policy = SDJWTVerificationPolicy(algorithms: algorithms, types: [SDJWTProfile.credentialType])
        policy.tolerances = tolerances
        policy.openClaims = SDJWTProfile.openCredentialClaims
        policy.requiredClaims = ["vct"]
        policy.credentialTypes = credentialTypes
        return policy
    }
}

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
