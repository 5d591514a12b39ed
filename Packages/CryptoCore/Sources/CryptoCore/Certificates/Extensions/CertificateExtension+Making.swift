extension CertificateExtension {
    /// basicConstraints of a certificate authority, critical.
    ///
    /// - Parameter pathLength: The number of intermediate certificates that may follow below it, or nil for any number; a
    ///   negative number counts as zero.
    public static func certificateAuthority(pathLength: Int?) -> CertificateExtension {
        CertificateExtension(
            .basicConstraints,
            BasicConstraints(isCertificateAuthority: true, pathLength: pathLength.map { max(0, $0) }),
            isCritical: true
        )
    }

    /// keyUsage, critical.
    public static func keyUsage(_ usages: KeyUsage) -> CertificateExtension {
        CertificateExtension(.keyUsage, usages, isCritical: true)
    }

    /// extKeyUsage.
    public static func extendedKeyUsage(_ purposes: [OID], isCritical: Bool = false) -> CertificateExtension {
        CertificateExtension(.extendedKeyUsage, ExtendedKeyUsage(purposes), isCritical: isCritical)
    }

    /// subjectKeyIdentifier.
    public static func subjectKeyIdentifier(_ identifier: some Collection<UInt8>) -> CertificateExtension {
        CertificateExtension(
            id: .subjectKeyIdentifier,
            isCritical: false,
            value: DERValue.octetString(identifier).encoded
        )
    }

    /// authorityKeyIdentifier with the issuer's key identifier.
    public static func authorityKeyIdentifier(_ identifier: some Collection<UInt8>) -> CertificateExtension {
        CertificateExtension(
            .authorityKeyIdentifier,
            AuthorityKeyIdentifier(keyIdentifier: Array(identifier)),
            isCritical: false
        )
    }

    /// subjectAltName.
    public static func subjectAlternativeName(_ names: [GeneralName], isCritical: Bool = false) -> CertificateExtension
    {
        CertificateExtension(.subjectAlternativeName, GeneralNames(names), isCritical: isCritical)
    }

    /// issuerAltName.
    public static func issuerAlternativeName(_ names: [GeneralName]) -> CertificateExtension {
        CertificateExtension(.issuerAlternativeName, GeneralNames(names), isCritical: false)
    }

    /// cRLDistributionPoints with one distribution point per address.
    public static func crlDistributionPoints(_ addresses: [String]) -> CertificateExtension {
        CertificateExtension(
            .crlDistributionPoints,
            CRLDistributionPoints(addresses.map { DistributionPoint(fullName: GeneralNames([.uri($0)])) }),
            isCritical: false
        )
    }

    /// nameConstraints, critical.
    public static func nameConstraints(permitted: [GeneralName], excluded: [GeneralName] = []) -> CertificateExtension {
        CertificateExtension(
            .nameConstraints,
            NameConstraints(permitted: permitted, excluded: excluded),
            isCritical: true
        )
    }

    /// certificatePolicies without qualifiers.
    public static func certificatePolicies(_ policies: [OID], isCritical: Bool = false) -> CertificateExtension {
        CertificateExtension(.certificatePolicies, CertificatePolicies(policies), isCritical: isCritical)
    }
}
