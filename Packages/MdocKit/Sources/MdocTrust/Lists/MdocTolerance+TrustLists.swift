public import MdocKit

extension MdocTolerance {
    /// A key of a VICAL in another spelling: AAMVA writes `Extensions` and `CertificateProfile`.
    public static let memberSpelling = MdocTolerance("memberSpelling")
    /// A `ski` with the DER heads of the extension around it, as AAMVA writes it.
    public static let wrappedKeyIdentifier = MdocTolerance("wrappedKeyIdentifier")
    /// A `serialNumber` that is no bignum (tag 2) but a CBOR integer.
    public static let plainSerialNumber = MdocTolerance("plainSerialNumber")
    /// An entry of a trust list without `serialNumber` or `ski`; the certificate has both.
    public static let missingCertificateMember = MdocTolerance("missingCertificateMember")
    /// A member of a trust list's entry that says something else than the certificate beside it; the certificate counts.
    public static let memberUnlikeCertificate = MdocTolerance("memberUnlikeCertificate")
}

extension Set<MdocTolerance> {
    /// The known deviations of the providers of deployed trust lists, and of deployed wallets and issuers.
    public static let deployedTrustLists: Set<MdocTolerance> = .deployed.union([
        .memberSpelling, .wrappedKeyIdentifier, .plainSerialNumber, .missingCertificateMember, .memberUnlikeCertificate,
    ])
}
