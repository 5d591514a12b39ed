extension OID {
    // MARK: Certificate extensions (RFC 5280, 4.2)

    /// subjectKeyIdentifier.
    public static let subjectKeyIdentifier = OID(checked: [0x55, 0x1d, 14])
    /// keyUsage.
    public static let keyUsage = OID(checked: [0x55, 0x1d, 15])
    /// subjectAltName.
    public static let subjectAlternativeName = OID(checked: [0x55, 0x1d, 17])
    /// issuerAltName.
    public static let issuerAlternativeName = OID(checked: [0x55, 0x1d, 18])
    /// basicConstraints.
    public static let basicConstraints = OID(checked: [0x55, 0x1d, 19])
    /// cRLNumber.
    public static let crlNumber = OID(checked: [0x55, 0x1d, 20])
    /// cRLReasons, in an entry of a revocation list.
    public static let crlReason = OID(checked: [0x55, 0x1d, 21])
    /// invalidityDate, in an entry of a revocation list.
    public static let invalidityDate = OID(checked: [0x55, 0x1d, 24])
    /// deltaCRLIndicator.
    public static let deltaCRLIndicator = OID(checked: [0x55, 0x1d, 27])
    /// issuingDistributionPoint.
    public static let issuingDistributionPoint = OID(checked: [0x55, 0x1d, 28])
    /// certificateIssuer, in an entry of an indirect revocation list.
    public static let certificateIssuer = OID(checked: [0x55, 0x1d, 29])
    /// nameConstraints.
    public static let nameConstraints = OID(checked: [0x55, 0x1d, 30])
    /// cRLDistributionPoints.
    public static let crlDistributionPoints = OID(checked: [0x55, 0x1d, 31])
    /// certificatePolicies.
    public static let certificatePolicies = OID(checked: [0x55, 0x1d, 32])
    /// policyMappings.
    public static let policyMappings = OID(checked: [0x55, 0x1d, 33])
    /// authorityKeyIdentifier.
    public static let authorityKeyIdentifier = OID(checked: [0x55, 0x1d, 35])
    /// policyConstraints.
    public static let policyConstraints = OID(checked: [0x55, 0x1d, 36])
    /// extKeyUsage.
    public static let extendedKeyUsage = OID(checked: [0x55, 0x1d, 37])
    /// freshestCRL.
    public static let freshestCRL = OID(checked: [0x55, 0x1d, 46])
    /// inhibitAnyPolicy.
    public static let inhibitAnyPolicy = OID(checked: [0x55, 0x1d, 54])

    // MARK: Certificate policies (RFC 5280, 4.2.1.4)

    /// anyPolicy.
    static let anyPolicy = OID(checked: [0x55, 0x1d, 32, 0])
    /// id-qt-cps, the qualifier that points to a certification practice statement.
    static let practiceStatement = OID(checked: [0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x02, 1])
    /// id-qt-unotice, the qualifier with a notice for users.
    static let userNotice = OID(checked: [0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x02, 2])

    // MARK: Attributes of names (X.520)

    /// commonName, CN.
    public static let commonName = OID(checked: [0x55, 0x04, 3])
    /// surname.
    public static let surname = OID(checked: [0x55, 0x04, 4])
    /// serialNumber of a subject, not of a certificate.
    public static let serialNumberAttribute = OID(checked: [0x55, 0x04, 5])
    /// countryName, C.
    public static let countryName = OID(checked: [0x55, 0x04, 6])
    /// localityName, L.
    public static let localityName = OID(checked: [0x55, 0x04, 7])
    /// stateOrProvinceName, ST.
    public static let stateOrProvinceName = OID(checked: [0x55, 0x04, 8])
    /// streetAddress.
    public static let streetAddress = OID(checked: [0x55, 0x04, 9])
    /// organizationName, O.
    public static let organizationName = OID(checked: [0x55, 0x04, 10])
    /// organizationalUnitName, OU.
    public static let organizationalUnitName = OID(checked: [0x55, 0x04, 11])
    /// title.
    public static let title = OID(checked: [0x55, 0x04, 12])
    /// givenName.
    public static let givenName = OID(checked: [0x55, 0x04, 42])
    /// organizationIdentifier.
    public static let organizationIdentifier = OID(checked: [0x55, 0x04, 97])
    /// domainComponent, DC (RFC 4519).
    public static let domainComponent = OID(
        checked: [0x09, 0x92, 0x26, 0x89, 0x93, 0xf2, 0x2c, 0x64, 0x01, 25]
    )
    /// id-on-SmtpUTF8Mailbox, the type of an otherName (RFC 9598, section 3).
    static let smtpUTF8Mailbox = OID(checked: [0x2b, 6, 1, 5, 5, 7, 8, 9])
    /// emailAddress (PKCS #9).
    public static let emailAddress = OID(
        checked: [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, 0x01]
    )

    // MARK: Extended key usages

    /// anyExtendedKeyUsage.
    public static let anyExtendedKeyUsage = OID(checked: [0x55, 0x1d, 37, 0])
    /// id-kp-serverAuth.
    public static let serverAuthentication = OID(checked: [0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 1])
    /// id-kp-clientAuth.
    public static let clientAuthentication = OID(checked: [0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 2])
    /// id-mdl-kp-mdlDS 1.0.18013.5.1.2 (ISO/IEC 18013-5, Annex B).
    public static let mdlDocumentSigner = OID(checked: [0x28, 0x81, 0x8c, 0x5d, 0x05, 0x01, 0x02])
    /// id-mdl-kp-mdlReaderAuth 1.0.18013.5.1.6 (ISO/IEC 18013-5, Annex B).
    public static let mdlReaderAuthentication = OID(checked: [0x28, 0x81, 0x8c, 0x5d, 0x05, 0x01, 0x06])
    /// The signer of a VICAL, 1.0.18013.5.1.8 (ISO/IEC 18013-5, Annex C).
    public static let mdlVICALSigner = OID(checked: [0x28, 0x81, 0x8c, 0x5d, 0x05, 0x01, 0x08])
    /// The document signer of any mdoc, 1.0.23220.4.1.2 (second edition of ISO/IEC 18013-5).
    public static let mdocDocumentSigner = OID(checked: [0x28, 0x81, 0xb5, 0x34, 0x04, 0x01, 0x02])
    /// Reader authentication for any mdoc, 1.0.23220.4.1.6 (second edition of ISO/IEC 18013-5).
    public static let mdocReaderAuthentication = OID(checked: [0x28, 0x81, 0xb5, 0x34, 0x04, 0x01, 0x06])
    /// The signer of a VICAL for any mdoc, 1.0.23220.4.1.8 (second edition of ISO/IEC 18013-5).
    public static let mdocVICALSigner = OID(checked: [0x28, 0x81, 0xb5, 0x34, 0x04, 0x01, 0x08])
}

extension OID {
    /// The short name of an attribute type as RFC 4514 and common use have it, or the dotted form.
    var attributeName: String { Self.attributeNames[self] ?? description }

    private static let attributeNames: [OID: String] = [
        .commonName: "CN", .countryName: "C", .stateOrProvinceName: "ST", .localityName: "L", .organizationName: "O",
        .organizationalUnitName: "OU", .streetAddress: "STREET", .domainComponent: "DC",
        .serialNumberAttribute: "serialNumber", .surname: "SN", .givenName: "GN", .title: "title",
        .organizationIdentifier: "organizationIdentifier", .emailAddress: "emailAddress",
    ]
}
