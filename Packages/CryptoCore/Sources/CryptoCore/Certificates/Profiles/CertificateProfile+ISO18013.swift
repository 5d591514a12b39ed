#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension CertificateProfile {
    private static let day: TimeInterval = 86_400

    /// The curves of ISO/IEC 18013-5, Annex B, for keys that sign certificates.
    private static let weierstrassCurves: Set<EllipticCurve> = [
        .p256, .p384, .p521, .brainpoolP256r1, .brainpoolP320r1, .brainpoolP384r1, .brainpoolP512r1,
    ]

    /// The demands of ISO/IEC 18013-5, Annex B on every certificate.
    private static func annexB(_ name: String, days: Int) -> CertificateProfile {
        var profile = CertificateProfile(name: name)
        profile.maximumValidity = day * Double(days)
        profile.minimumSerialNumberSize = 8
        profile.subjectAttributes = [.commonName]
        profile.requiresUpperCaseCountry = true
        profile.requiresModernStrings = true
        profile.requiresSameNameBytes = true
        profile.curves = weierstrassCurves.union([.ed25519, .ed448])
        profile.signatureAlgorithms = [.ecdsaSHA256, .ecdsaSHA384, .ecdsaSHA512]
        profile.keyUsages = [.digitalSignature]
        profile.requiredExtensions = [
            .subjectKeyIdentifier, .authorityKeyIdentifier, .keyUsage, .crlDistributionPoints,
        ]
        profile.criticalExtensions = [.keyUsage, .extendedKeyUsage, .basicConstraints]
        profile.forbidsOtherCriticalExtensions = true
        profile.forbiddenExtensions = [
            .policyMappings, .nameConstraints, .policyConstraints, .inhibitAnyPolicy, .freshestCRL,
        ]
        profile.requiresSHA1KeyIdentifier = true
        profile.requiresContact = true
        profile.requiresPlainDistributionPoints = true
        return profile
    }

    /// IACA root certificate (ISO/IEC 18013-5, Table B.1), with the 20 years that it allows and without the distribution
    /// point that only the first edition demands.
    public static let iacaRoot: CertificateProfile = {
        // The most days that 20 years have.
        var profile = annexB("IACA root", days: 7305)
        profile.subjectAttributes = [.countryName, .commonName]
        profile.curves = weierstrassCurves
        profile.authority = .certificateAuthority(pathLength: 0)
        profile.keyUsages = [[.keyCertSign, .crlSign]]
        profile.requiredExtensions = [.subjectKeyIdentifier, .keyUsage, .basicConstraints, .issuerAlternativeName]
        // The table does not list extKeyUsage, which may be present as long as it is not critical.
        profile.criticalExtensions = [.keyUsage, .basicConstraints]
        return profile
    }()

    /// Document signer certificate (ISO/IEC 18013-5, Table B.3), with the rule of 12.8 that country and state are those
    /// of the IACA.
    public static let mdocDocumentSigner: CertificateProfile = {
        var profile = annexB("mdoc document signer", days: 457)
        profile.subjectAttributes = [.countryName, .commonName]
        profile.requiresIssuersCountry = true
        profile.purposes = [.mdlDocumentSigner, .mdocDocumentSigner]
        profile.requiredExtensions.formUnion([.extendedKeyUsage, .issuerAlternativeName])
        return profile
    }()

    /// mdoc reader authentication certificate (ISO/IEC 18013-5, Table B.7; second edition, Table B.6).
    public static let mdocReader: CertificateProfile = {
        var profile = annexB("mdoc reader", days: 1187)
        profile.purposes = [.mdlReaderAuthentication, .mdocReaderAuthentication]
        profile.requiredExtensions.insert(.extendedKeyUsage)
        return profile
    }()

    /// VICAL signer certificate (ISO/IEC 18013-5, Table C.1).
    ///
    /// Its key usage is nonRepudiation, as AAMVA uses it. A certificate with digitalSignature instead is accepted too: both
    /// let the key sign, and signers of lists have been issued with either.
    public static let vicalSigner: CertificateProfile = {
        var profile = annexB("VICAL signer", days: 1187)
        profile.subjectAttributes = [.countryName, .organizationName, .commonName]
        profile.keyUsages = [.digitalSignature, .nonRepudiation]
        profile.utf8Attributes = [.organizationName, .commonName]
        profile.purposes = [.mdlVICALSigner, .mdocVICALSigner]
        profile.requiredExtensions.insert(.extendedKeyUsage)
        return profile
    }()

    /// RICAL signer certificate (ISO/IEC 18013-5, second edition, Table F.1): a VICAL signer's without an extended key
    /// usage.
    ///
    /// A provider of both lists may use its VICAL signer's certificate for both. A certificate that is limited to
    /// another purpose may not sign a list.
    public static let ricalSigner: CertificateProfile = {
        var profile = vicalSigner
        profile.name = "RICAL signer"
        profile.requiredExtensions.remove(.extendedKeyUsage)
        return profile
    }()

    /// Status list signer certificate (ISO/IEC 18013-5, second edition, Table B.9) without an agreed number of
    /// id-kp-oauthStatusSigning: see ``statusListSigner(purposes:)``.
    public static let statusListSigner = statusListSigner(purposes: [])

    /// Status list signer certificate (ISO/IEC 18013-5, second edition, Table B.9).
    ///
    /// Its extended key usage is optional. If present, it must name status list signing: the certificates of document
    /// signers, readers, signers of trust lists and web servers name another purpose, and may not sign a list.
    ///
    /// - Parameter purposes: The numbers of id-kp-oauthStatusSigning. IANA has not assigned one yet (Token Status List,
    ///   section 10); issuers and verifiers have to agree on theirs.
    public static func statusListSigner(purposes: Set<OID>) -> CertificateProfile {
        var profile = annexB("status list signer", days: 1187)
        profile.subjectAttributes = []
        profile.curves = weierstrassCurves
        profile.purposes = purposes
        profile.requiredExtensions.remove(.crlDistributionPoints)
        profile.forbiddenExtensions.insert(.basicConstraints)
        // Its criticality is left open.
        profile.criticalExtensions.remove(.extendedKeyUsage)
        profile.optionallyCriticalExtensions = [.extendedKeyUsage]
        return profile
    }
}

// Certificates without a profile in ISO/IEC 18013-5.
extension CertificateProfile {
    /// Signer of status list tokens for other credentials than mdocs.
    ///
    /// It is an end entity whose extended key usage has id-kp-oauthStatusSigning (Token Status List, section 10).
    ///
    /// - Parameter purposes: The numbers of id-kp-oauthStatusSigning. IANA has not assigned one yet; issuers and
    ///   verifiers have to agree on theirs. With an empty set, no certificate keeps the profile; see
    ///   ``statusListTokenSignerWithoutPurpose`` for verifiers without an agreed number.
    public static func statusListTokenSigner(purposes: Set<OID>) -> CertificateProfile {
        var profile = CertificateProfile(name: "status list token signer")
        profile.purposes = purposes
        profile.requiredExtensions = [.extendedKeyUsage]
        return profile
    }

    /// Signer of status list tokens for other credentials than mdocs, without an agreed number of
    /// id-kp-oauthStatusSigning.
    ///
    /// It is an end entity without an extended key usage, which authorities may leave out (Token Status List, section
    /// 10). A certificate that is limited to any purpose, such as that of a document signer or a web server, may not sign
    /// a list. Nothing distinguishes the signers of lists from other certificates without a purpose, so the caller trusts
    /// the anchor with lists: prefer ``statusListTokenSigner(purposes:)`` where a number is agreed on.
    public static let statusListTokenSignerWithoutPurpose: CertificateProfile = {
        var profile = CertificateProfile(name: "status list token signer")
        profile.purposes = []
        return profile
    }()

    /// The issuer of SD-JWT VCs.
    ///
    /// It is an end entity without an extended key usage, or a document signer, whose certificate serves for both forms
    /// of a credential. No standard has a purpose for these issuers. A certificate that is limited to another purpose,
    /// such as that of a web server, a reader or a signer of status lists, is not entitled to issue credentials.
    public static let credentialIssuer: CertificateProfile = {
        var profile = CertificateProfile(name: "credential issuer")
        profile.purposes = [.mdlDocumentSigner, .mdocDocumentSigner]
        return profile
    }()

    /// The signer of an OpenID4VP request with the prefix `x509_san_dns` or `x509_hash`.
    ///
    /// It is an end entity whose keyUsage, if present, allows digital signatures. It has no extended key usage, or is a
    /// reader (ISO/IEC TS 18013-7, Annex B), or a web server or client: a verifier is known by the host that its
    /// certificate names, and most sign with the certificate of their web server. The request decides which names the
    /// certificate must have.
    public static let requestSigner: CertificateProfile = {
        var profile = CertificateProfile(name: "request signer")
        profile.purposes = [
            .mdlReaderAuthentication, .mdocReaderAuthentication, .serverAuthentication, .clientAuthentication,
        ]
        return profile
    }()
}
