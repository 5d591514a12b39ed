import CryptoCore

/// A known deviation of the certificates of real document signers and readers from their profiles, which does not weaken
/// the certificate's proof (ISO/IEC 18013-5, Tables B.3 and B.7).
///
/// A tolerated deviation is reported in the verification's deviations. There is no tolerance for a
/// missing purpose, a key that may not sign, an unknown critical extension, a weak algorithm or another country.
public struct CertificateTolerance: Hashable, Sendable, CustomStringConvertible {
    /// The tolerance's name.
    public let description: String

    private let kinds: Set<CertificateDeviation.Kind>
    /// The extensions that may be missing.
    private let extensions: Set<OID>

    private init(
        _ description: String,
        _ kinds: Set<CertificateDeviation.Kind>,
        missing extensions: Set<OID> = []
    ) {
        self.description = description
        self.kinds = kinds
        self.extensions = extensions
    }

    /// A validity of more than 457 days.
    public static let longValidity = CertificateTolerance("longValidity", [.validityPeriod])
    /// A serial number that is not positive, too short to be random, or too long.
    public static let serialNumber = CertificateTolerance(
        "serialNumber",
        [.nonPositiveSerialNumber, .shortSerialNumber, .longSerialNumber]
    )
    /// Default values that are written out, and dates in the other of two forms, which DER does not have.
    public static let encoding = CertificateTolerance("encoding", [.encoding])
    /// A country in lower case, not in a PrintableString, or in another case than in the authority's certificate.
    public static let countrySpelling = CertificateTolerance("countrySpelling", [.countryName])
    /// A missing state or province that the authority's certificate has (Annex B.1.4).
    public static let missingState = CertificateTolerance("missingState", [.stateOrProvinceMismatch])
    /// The issuer's name in other string types, case or spacing than in the authority's certificate.
    public static let issuerNameSpelling = CertificateTolerance("issuerNameSpelling", [.issuerName])
    /// A subject key identifier that is not the SHA-1 digest of the key.
    public static let keyIdentifierMethod = CertificateTolerance("keyIdentifierMethod", [.subjectKeyIdentifier])
    /// No key identifier of subject or issuer.
    public static let missingKeyIdentifier = CertificateTolerance(
        "missingKeyIdentifier",
        [],
        missing: [.subjectKeyIdentifier, .authorityKeyIdentifier]
    )
    /// No e-mail address or URI of the issuer in issuerAltName.
    public static let missingContact = CertificateTolerance(
        "missingContact",
        [.issuerAlternativeName],
        missing: [.issuerAlternativeName]
    )
    /// No distribution point of revocation lists, or a limited one.
    public static let distributionPoint = CertificateTolerance(
        "distributionPoint",
        [.crlDistributionPoints],
        missing: [.crlDistributionPoints]
    )
    /// An extension that is not marked as critical and must be.
    public static let extensionNotCritical = CertificateTolerance("extensionNotCritical", [.extensionNotCritical])
    /// More uses of the key beside that of digital signatures.
    public static let moreKeyUsages = CertificateTolerance("moreKeyUsages", [.keyUsage])

    /// Returns `true` if it lets a departure pass.
    fileprivate func covers(_ deviation: CertificateDeviation) -> Bool {
        if kinds.contains(deviation.kind) { return true }
        return deviation.kind == .missingExtension && deviation.extensionID.map(extensions.contains) == true
    }

    /// The kinds of departures that it lets pass, each perhaps in part.
    fileprivate var toleratedKinds: Set<CertificateDeviation.Kind> {
        extensions.isEmpty ? kinds : kinds.union([.missingExtension])
    }
}

extension CertificatePathPolicy {
    /// Lets every kind of departure pass that some of the tolerances cover, each perhaps in part: the rest is found by
    /// `ValidatedCertificateChain.deviation(outsideOf:besides:)`.
    mutating func tolerate(_ tolerances: Set<CertificateTolerance>) {
        for tolerance in tolerances { toleratedDeviations.formUnion(tolerance.toleratedKinds) }
        if tolerances.contains(.issuerNameSpelling) { nameComparison = .rfc5280 }
    }
}

extension ValidatedCertificateChain {
    /// A departure of a kind that is tolerated in other extensions only.
    func deviation(
        outsideOf tolerances: Set<CertificateTolerance>,
        besides kinds: Set<CertificateDeviation.Kind>
    ) -> CertificateDeviation? {
        toleratedDeviations.first { deviation in
            !kinds.contains(deviation.kind) && !tolerances.contains { $0.covers(deviation) }
        }
    }
}

extension Set<CertificateTolerance> {
    /// Every tolerance.
    public static let deployed: Set<CertificateTolerance> = [
        .longValidity, .serialNumber, .encoding, .countrySpelling, .missingState, .issuerNameSpelling,
        .keyIdentifierMethod,
        .missingKeyIdentifier, .missingContact, .distributionPoint, .extensionNotCritical, .moreKeyUsages,
    ]
}
