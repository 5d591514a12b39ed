/// The demands of a path validation beyond RFC 5280, and its tolerances: rules as a value.
///
/// A chain to a trust anchor shows who certified a key. The leaf's profile decides what the key is entitled to sign:
/// use the policy of the purpose, such as ``mdocDocumentSigner`` or ``statusListSigner``; ``init()`` demands no
/// purpose.
public struct CertificatePathPolicy: Hashable, Sendable {
    /// The comparison of issuers' and subjects' names.
    public enum NameComparison: Hashable, Sendable {
        /// By the rules of RFC 5280, 7.1, see ``DistinguishedName/matches(_:)``.
        case rfc5280
        /// By their bytes, as ISO/IEC 18013-5 demands of document signer and IACA.
        case bytes
    }

    /// The largest number of certificates in the given chain, the leaf counted, the anchor not.
    public var maximumChainLength = 8

    /// The comparison of names.
    public var nameComparison = NameComparison.rfc5280

    /// The signature algorithms that certificates may be signed with, or nil for all but those over SHA-1.
    public var signatureAlgorithms: Set<SignatureAlgorithm>?

    /// The shortest RSA modulus in bits; 1024 is the least that can be demanded.
    public var minimumRSAKeySize = 2048

    /// Indicates that the anchor must be valid at the given time.
    ///
    /// RFC 5280 leaves that open; ISO/IEC 18013-5 demands it.
    public var requiresValidAnchor = true

    /// Indicates that a chain whose leaf is itself a configured anchor is valid.
    public var acceptsTrustedLeaf = false

    /// Critical extensions that the caller processes itself.
    public var recognizedCriticalExtensions: Set<OID> = []

    /// The uses of which the leaf's keyUsage, if present, must allow one; empty for no demand.
    public var leafKeyUsage: KeyUsage = .digitalSignature

    /// The purposes of which the leaf's extKeyUsage must contain one; empty for no demand.
    public var leafPurposes: Set<OID> = []

    /// The profile that the leaf must keep, or nil.
    public var leafProfile: CertificateProfile?

    /// The profile that the anchor must keep, or nil.
    public var anchorProfile: CertificateProfile?

    /// Departures from these profiles that do not refuse the chain; those met stand in
    /// ``ValidatedCertificateChain/toleratedDeviations``.
    public var toleratedDeviations: Set<CertificateDeviation.Kind> = []

    /// RFC 5280 with the anchor's validity checked, algorithms over SHA-1 and short RSA keys refused, and a leaf that
    /// may make digital signatures.
    public init() {}

    /// The policy for signed requests of OpenID4VP with the prefixes `x509_san_dns` and `x509_hash`.
    public static let requestSigner: CertificatePathPolicy = {
        var policy = CertificatePathPolicy()
        policy.leafProfile = .requestSigner
        policy.toleratedDeviations = permittedEncodings
        return policy
    }()

    /// The policy for the document signers of an mdoc (ISO/IEC 18013-5, 12.8 and Annex B).
    public static let mdocDocumentSigner = CertificatePathPolicy(leaf: .mdocDocumentSigner, anchor: .iacaRoot)

    /// The policy for mdoc readers (ISO/IEC 18013-5, Annex B); the profile of reader roots is left open there.
    public static let mdocReader = CertificatePathPolicy(leaf: .mdocReader, anchor: nil)

    /// The policy for the signers of a VICAL (ISO/IEC 18013-5, Annex C).
    public static let vicalSigner = CertificatePathPolicy(leaf: .vicalSigner, anchor: nil)

    /// The policy for the signers of a RICAL (ISO/IEC 18013-5, second edition, Annex F).
    public static let ricalSigner = CertificatePathPolicy(leaf: .ricalSigner, anchor: nil)

    /// The policy for the signers of status lists of mdocs (ISO/IEC 18013-5, second edition, Annex B) without an agreed
    /// number of id-kp-oauthStatusSigning: see ``statusListSigner(purposes:)``.
    public static let statusListSigner = statusListSigner(purposes: [])

    /// The policy for the signers of status lists of mdocs (ISO/IEC 18013-5, second edition, Annex B).
    ///
    /// - Parameter purposes: The numbers of id-kp-oauthStatusSigning, see ``CertificateProfile/statusListSigner(purposes:)``.
    public static func statusListSigner(purposes: Set<OID>) -> CertificatePathPolicy {
        CertificatePathPolicy(leaf: .statusListSigner(purposes: purposes), anchor: nil)
    }

    /// The policy for the signers of status list tokens of other credentials (Token Status List, section 10).
    ///
    /// - Parameter purposes: The numbers of id-kp-oauthStatusSigning, see
    ///   ``CertificateProfile/statusListTokenSigner(purposes:)``.
    public static func statusListTokenSigner(purposes: Set<OID>) -> CertificatePathPolicy {
        CertificatePathPolicy(sealer: .statusListTokenSigner(purposes: purposes))
    }

    /// The policy for the signers of status list tokens of other credentials without an agreed number of
    /// id-kp-oauthStatusSigning, see ``CertificateProfile/statusListTokenSignerWithoutPurpose``.
    public static let statusListTokenSignerWithoutPurpose = CertificatePathPolicy(
        sealer: .statusListTokenSignerWithoutPurpose
    )

    /// The policy for the issuers of SD-JWT VCs, see ``CertificateProfile/credentialIssuer``.
    public static let credentialIssuer = CertificatePathPolicy(sealer: .credentialIssuer)

    /// The encodings that RFC 5280 lets a user of certificates handle: it governs the path, and the profile only decides the
    /// entitlement.
    private static let permittedEncodings: Set<CertificateDeviation.Kind> = [
        .version, .encoding, .nonPositiveSerialNumber, .longSerialNumber,
    ]

    /// Departures from a profile of ISO/IEC 18013-5 that take nothing from the trust in a certificate: an extension that
    /// is critical and known all the same, text in an outdated kind of string, and a revocation list without a URI, as
    /// the examples of Annex D have it.
    public static let harmlessDeviations: Set<CertificateDeviation.Kind> = [
        .criticalExtension, .nameEncoding, .missingRevocationListURI,
    ]

    /// The policy for the keys that sign what others rely on later.
    ///
    /// Keys of qualified seals are for non-repudiation alone (ETSI EN 319 412-2, section 4.3.2).
    private init(sealer: CertificateProfile) {
        leafProfile = sealer
        leafKeyUsage = [.digitalSignature, .nonRepudiation]
        toleratedDeviations = Self.permittedEncodings
    }

    private init(leaf: CertificateProfile, anchor: CertificateProfile?) {
        nameComparison = .bytes
        leafProfile = leaf
        anchorProfile = anchor
        leafKeyUsage = []
        toleratedDeviations = Self.harmlessDeviations
    }

    /// The options for importing the keys of certificates.
    var keyImportOptions: KeyImportOptions {
        minimumRSAKeySize < RSANumbers.minimumModulusBits ? .insecureShortRSA : []
    }

    /// Returns `true` if two names are the same under this policy.
    func sameName(_ one: DistinguishedName, _ other: DistinguishedName) -> Bool {
        switch nameComparison {
        case .rfc5280: one.matches(other)
        case .bytes: one == other
        }
    }
}
