public import VerificationCore

// The reasons of a refused certificate path; beside them there are `expired` and `notYetValid`.
extension Reason {
    /// A certificate cannot be read.
    public static let malformedCertificate: Reason = "malformedCertificate"
    /// The chain has no certificates.
    public static let emptyChain: Reason = "emptyChain"
    /// The chain has more certificates than the policy allows.
    public static let chainTooLong: Reason = "chainTooLong"
    /// No configured anchor has the subject and key identifier that the chain names as its issuer.
    public static let noTrustAnchor: Reason = "noTrustAnchor"
    /// The leaf is itself a trust anchor, which the policy does not accept.
    public static let leafIsTrustAnchor: Reason = "leafIsTrustAnchor"
    /// A certificate's issuer is not the subject of the next one.
    public static let issuerNameMismatch: Reason = "issuerNameMismatch"
    /// A certificate's authority key identifier is not that of the next one.
    public static let keyIdentifierMismatch: Reason = "keyIdentifierMismatch"
    /// A critical extension is not known to the validator.
    public static let unknownCriticalExtension: Reason = "unknownCriticalExtension"
    /// An issuer is not a certificate authority.
    public static let notACertificateAuthority: Reason = "notACertificateAuthority"
    /// More intermediate certificates follow than an issuer allows.
    public static let pathLengthExceeded: Reason = "pathLengthExceeded"
    /// An issuer's key may not sign certificates.
    public static let certificateSigningNotAllowed: Reason = "certificateSigningNotAllowed"
    /// A key is of a kind that this module does not know, or is not a valid key.
    public static let unsupportedKey: Reason = "unsupportedKey"
    /// A key is too short.
    public static let weakKey: Reason = "weakKey"
    /// A signature algorithm is not known to this module or does not fit the issuer's key.
    public static let unsupportedSignatureAlgorithm: Reason = "unsupportedSignatureAlgorithm"
    /// A signature algorithm is known and not allowed by the policy, as those over SHA-1.
    public static let disallowedSignatureAlgorithm: Reason = "disallowedSignatureAlgorithm"
    /// A signature does not verify with the issuer's key.
    public static let invalidSignature: Reason = "invalidSignature"
    /// A name lies outside the names that an issuer permits, or constraints cannot be applied.
    public static let nameConstraintViolated: Reason = "nameConstraintViolated"
    /// No certificate policy holds for the whole path although an issuer requires one, or an issuer maps anyPolicy.
    public static let invalidCertificatePolicy: Reason = "invalidCertificatePolicy"
    /// The leaf's keyUsage does not allow the use that the policy demands.
    public static let keyUsageNotAllowed: Reason = "keyUsageNotAllowed"
    /// The leaf's extKeyUsage lacks a purpose that the policy demands.
    public static let missingPurpose: Reason = "missingPurpose"
    /// The leaf or the anchor departs from the profile that the policy names.
    public static let profileDeviation: Reason = "profileDeviation"
}
