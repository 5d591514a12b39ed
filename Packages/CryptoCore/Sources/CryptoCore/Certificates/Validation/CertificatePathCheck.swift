/// One of the checks that make up a path validation, by name; an open set.
///
/// ``all`` has them in the order in which they are run and reported.
public struct CertificatePathCheck: Hashable, Sendable, CustomStringConvertible {
    /// The check's name, as in the source.
    public let description: String

    private init(_ name: String) {
        description = name
    }

    /// Every certificate can be read, with its alternative names and its critical extensions (RFC 5280, 4.1 and 4.2).
    public static let encoding = CertificatePathCheck("encoding")
    /// The chain is not empty and not longer than the policy allows.
    public static let chainLength = CertificatePathCheck("chainLength")
    /// A trust anchor with the name and the key identifier that a certificate of the chain gives for its issuer is
    /// among those that were configured.
    public static let trustAnchor = CertificatePathCheck("trustAnchor")
    /// Each certificate's issuer is the subject of the next one (RFC 5280, 6.1.3 (a)(4)).
    public static let nameChaining = CertificatePathCheck("nameChaining")
    /// Each certificate's authority key identifier, where it has one, fits the next certificate (4.2.1.1).
    public static let keyIdentifiers = CertificatePathCheck("keyIdentifiers")
    /// No certificate has a critical extension that the validator does not process (6.1.4 (o), 6.1.5 (f)).
    public static let criticalExtensions = CertificatePathCheck("criticalExtensions")
    /// Every issuer is a certificate authority (6.1.4 (k)).
    public static let certificateAuthority = CertificatePathCheck("certificateAuthority")
    /// No issuer has more intermediate certificates below it than it allows (6.1.4 (m)).
    public static let pathLength = CertificatePathCheck("pathLength")
    /// Every issuer's key may sign certificates (6.1.4 (n)).
    public static let issuerKeyUsage = CertificatePathCheck("issuerKeyUsage")
    /// Keys and signature algorithms are known, fit each other and are strong enough.
    public static let algorithms = CertificatePathCheck("algorithms")
    /// Every signature verifies with the issuer's key (6.1.3 (a)(1)).
    public static let signatures = CertificatePathCheck("signatures")
    /// Every certificate is valid at the given time, the anchor too unless the policy says otherwise (6.1.3 (a)(2)).
    public static let validity = CertificatePathCheck("validity")
    /// No name lies outside the subtrees that the issuers above permit (6.1.3 (b), (c)).
    public static let nameConstraints = CertificatePathCheck("nameConstraints")
    /// The leaf's key may be used for what the policy demands.
    public static let leafUsage = CertificatePathCheck("leafUsage")
    /// The leaf and the anchor keep the profiles that the policy names.
    public static let profile = CertificatePathCheck("profile")

    /// All checks in their order.
    public static let all: [CertificatePathCheck] = [
        .encoding, .chainLength, .trustAnchor, .nameChaining, .keyIdentifiers, .criticalExtensions,
        .certificateAuthority, .pathLength, .issuerKeyUsage, .algorithms, .signatures, .validity, .nameConstraints,
        .leafUsage, .profile,
    ]
}
