public import VerificationCore

// The checks of a certificate path.
extension Check {
    /// Every certificate can be read, with its alternative names and its critical extensions (RFC 5280, 4.1 and 4.2).
    public static let certificateEncoding: Check = "certificateEncoding"
    /// The chain is not empty and not longer than the policy allows.
    public static let chainLength: Check = "chainLength"
    /// A trust anchor with the name and the key identifier that a certificate of the chain gives for its issuer is
    /// among those that were configured.
    public static let trustAnchor: Check = "trustAnchor"
    /// Each certificate's issuer is the subject of the next one (RFC 5280, 6.1.3 (a)(4)).
    public static let nameChaining: Check = "nameChaining"
    /// Each certificate's authority key identifier, where it has one, fits the next certificate (4.2.1.1).
    public static let keyIdentifiers: Check = "keyIdentifiers"
    /// No certificate has a critical extension that the validator does not process (6.1.4 (o), 6.1.5 (f)).
    public static let criticalExtensions: Check = "criticalExtensions"
    /// Every issuer is a certificate authority (6.1.4 (k)).
    public static let certificateAuthority: Check = "certificateAuthority"
    /// No issuer has more intermediate certificates below it than it allows (6.1.4 (m)).
    public static let pathLength: Check = "pathLength"
    /// Every issuer's key may sign certificates (6.1.4 (n)).
    public static let issuerKeyUsage: Check = "issuerKeyUsage"
    /// Keys and signature algorithms are known, fit each other and are strong enough.
    public static let certificateAlgorithms: Check = "certificateAlgorithms"
    /// Every signature verifies with the issuer's key (6.1.3 (a)(1)).
    public static let certificateSignatures: Check = "certificateSignatures"
    /// Every certificate is valid at the given time, the anchor too unless the policy says otherwise (6.1.3 (a)(2)).
    public static let certificateValidity: Check = "certificateValidity"
    /// No name lies outside the subtrees that the issuers above permit (6.1.3 (b), (c)).
    public static let nameConstraints: Check = "nameConstraints"
    /// A certificate policy holds for the whole path, where an issuer requires one (6.1.3 (d) to (f), 6.1.5 (g)).
    public static let certificatePolicies: Check = "certificatePolicies"
    /// The leaf's key may be used for the purpose that the policy names.
    public static let leafUsage: Check = "leafUsage"
    /// The leaf and the anchor keep the profiles that the policy names.
    public static let certificateProfile: Check = "certificateProfile"
}

extension CertificatePathValidator {
    /// The checks of a path, in the order in which they are made.
    public static let checks: [Check] = CertificatePathEvaluation.steps.map(\.check)
}
