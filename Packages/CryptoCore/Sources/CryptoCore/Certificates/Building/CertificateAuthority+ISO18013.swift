#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension CertificateAuthority {
    /// Makes an issuing authority of mdocs with its IACA root certificate, as ``CertificateProfile/iacaRoot`` wants it.
    ///
    /// - Parameters:
    ///   - subject: Its name; countryName and commonName are mandatory.
    ///   - contact: An e-mail address or URI of the authority.
    ///   - signer: Holds the key, on a NIST or Brainpool curve.
    ///   - validity: At most 20 years.
    ///   - randomness: The source of the serial number.
    /// - Throws: ``CryptoError`` with the code ``CryptoError/Code/invalidParameter`` if the certificate would depart
    ///   from the profile; the errors of the signer.
    public static func iaca(
        subject: DistinguishedName,
        contact: GeneralName,
        signer: any Signer,
        validity: ClosedRange<Date>,
        using randomness: some RandomSource = .system
    ) async throws -> CertificateAuthority {
        let authority = try await root(
            subject: subject,
            signer: signer,
            validity: validity,
            pathLength: 0,
            extensions: [.issuerAlternativeName([contact])],
            using: randomness
        )
        try CertificateProfile.iacaRoot.require(authority.certificate, issuer: nil)
        return authority
    }

    /// Issues a document signer certificate, as ``CertificateProfile/mdocDocumentSigner`` wants it.
    ///
    /// - Parameters:
    ///   - commonName: The signer's name; country and state are the authority's.
    ///   - publicKey: The signer's key.
    ///   - validity: At most 457 days.
    ///   - revocationListURI: The address of the authority's revocation list.
    ///   - randomness: The source of the serial number.
    /// - Throws: ``CryptoError`` with the code ``CryptoError/Code/invalidParameter`` if the certificate would depart
    ///   from the profile; the errors of the signer.
    public func issueDocumentSigner(
        commonName: String,
        publicKey: PublicKey,
        validity: ClosedRange<Date>,
        revocationListURI: String,
        using randomness: some RandomSource = .system
    ) async throws -> Certificate {
        let own = certificate.subject
        let contact = try certificate.issuerAlternativeName?.names ?? []
        return try await issue(
            .mdocDocumentSigner,
            subject: DistinguishedName(
                countryName: own.countryName,
                stateOrProvinceName: own.stateOrProvinceName,
                commonName: commonName
            ),
            publicKey: publicKey,
            validity: validity,
            extensions: [
                .extendedKeyUsage([.mdlDocumentSigner], isCritical: true), .issuerAlternativeName(contact),
                .crlDistributionPoints([revocationListURI]),
            ],
            using: randomness
        )
    }

    /// Issues an mdoc reader authentication certificate, as ``CertificateProfile/mdocReader`` wants it.
    ///
    /// The issuerAltName of an authority with a contact is copied, which an IACA owes its readers (Table B.6).
    ///
    /// - Parameters:
    ///   - subject: The reader's name; commonName is mandatory.
    ///   - publicKey: The reader's key.
    ///   - validity: At most 1187 days.
    ///   - revocationListURI: The address of the authority's revocation list.
    ///   - extensions: More extensions, such as subjectAltName; an issuerAltName takes the place of the authority's.
    ///   - randomness: The source of the serial number.
    /// - Throws: ``CryptoError`` with the code ``CryptoError/Code/invalidParameter`` if the certificate would depart
    ///   from the profile; the errors of the signer.
    public func issueReader(
        subject: DistinguishedName,
        publicKey: PublicKey,
        validity: ClosedRange<Date>,
        revocationListURI: String,
        extensions: [CertificateExtension] = [],
        using randomness: some RandomSource = .system
    ) async throws -> Certificate {
        var own: [CertificateExtension] = [
            .extendedKeyUsage([.mdlReaderAuthentication], isCritical: true),
            .crlDistributionPoints([revocationListURI]),
        ]
        if !extensions.contains(where: { $0.id == .issuerAlternativeName }),
            let contact = try certificate.issuerAlternativeName,
            !contact.emailAddresses.isEmpty || !contact.uris.isEmpty
        {
            own.append(.issuerAlternativeName(contact.names))
        }
        return try await issue(
            .mdocReader,
            subject: subject,
            publicKey: publicKey,
            validity: validity,
            extensions: own + extensions,
            using: randomness
        )
    }

    /// Issues a VICAL signer certificate, as ``CertificateProfile/vicalSigner`` wants it.
    ///
    /// Its key usage is nonRepudiation (ISO/IEC 18013-5, Table C.1): the key signs lists and nothing else.
    ///
    /// - Parameters:
    ///   - subject: The signer's name; countryName, organizationName and commonName are mandatory.
    ///   - publicKey: The signer's key.
    ///   - validity: At most 1187 days.
    ///   - revocationListURI: The address of the authority's revocation list.
    ///   - randomness: The source of the serial number.
    /// - Throws: ``CryptoError`` with the code ``CryptoError/Code/invalidParameter`` if the certificate would depart
    ///   from the profile; the errors of the signer.
    public func issueVICALSigner(
        subject: DistinguishedName,
        publicKey: PublicKey,
        validity: ClosedRange<Date>,
        revocationListURI: String,
        using randomness: some RandomSource = .system
    ) async throws -> Certificate {
        try await issue(
            .vicalSigner,
            subject: subject,
            publicKey: publicKey,
            validity: validity,
            keyUsage: .nonRepudiation,
            extensions: [
                .extendedKeyUsage([.mdlVICALSigner], isCritical: true), .crlDistributionPoints([revocationListURI]),
            ],
            using: randomness
        )
    }

    /// Issues a RICAL signer certificate, as ``CertificateProfile/ricalSigner`` wants it (ISO/IEC 18013-5, second edition,
    /// Table F.1).
    ///
    /// Its key usage is nonRepudiation: the key signs lists and nothing else.
    ///
    /// - Parameters:
    ///   - subject: The signer's name; countryName, organizationName and commonName are mandatory.
    ///   - publicKey: The signer's key.
    ///   - validity: At most 1187 days.
    ///   - revocationListURI: The address of the authority's revocation list.
    ///   - randomness: The source of the serial number.
    /// - Throws: ``CryptoError`` with the code ``CryptoError/Code/invalidParameter`` if the certificate would depart
    ///   from the profile; the errors of the signer.
    public func issueRICALSigner(
        subject: DistinguishedName,
        publicKey: PublicKey,
        validity: ClosedRange<Date>,
        revocationListURI: String,
        using randomness: some RandomSource = .system
    ) async throws -> Certificate {
        try await issue(
            .ricalSigner,
            subject: subject,
            publicKey: publicKey,
            validity: validity,
            keyUsage: .nonRepudiation,
            extensions: [.crlDistributionPoints([revocationListURI])],
            using: randomness
        )
    }

    /// Issues a status list signer certificate that conforms to ``CertificateProfile/statusListSigner(purposes:)``.
    ///
    /// - Parameters:
    ///   - subject: The signer's name.
    ///   - publicKey: The signer's key.
    ///   - validity: At most 1187 days.
    ///   - purposes: The numbers of id-kp-oauthStatusSigning, none of which is assigned yet; empty for no extended key usage.
    ///   - randomness: The source of the serial number.
    /// - Throws: ``CryptoError`` with the code ``CryptoError/Code/invalidParameter`` for a certificate that would
    ///   deviate from the profile; the signer's error.
    public func issueStatusListSigner(
        subject: DistinguishedName,
        publicKey: PublicKey,
        validity: ClosedRange<Date>,
        purposes: [OID] = [],
        using randomness: some RandomSource = .system
    ) async throws -> Certificate {
        try await issue(
            .statusListSigner(purposes: Set(purposes)),
            subject: subject,
            publicKey: publicKey,
            validity: validity,
            extensions: purposes.isEmpty ? [] : [.extendedKeyUsage(purposes)],
            using: randomness
        )
    }

    private func issue(
        _ profile: CertificateProfile,
        subject: DistinguishedName,
        publicKey: PublicKey,
        validity: ClosedRange<Date>,
        keyUsage: KeyUsage = .digitalSignature,
        extensions: [CertificateExtension],
        using randomness: some RandomSource
    ) async throws -> Certificate {
        let builder = CertificateBuilder(
            subject: subject,
            publicKey: publicKey,
            validity: validity,
            extensions: [.keyUsage(keyUsage)] + extensions,
            using: randomness
        )
        let issued = try await builder.issued(by: self)
        try profile.require(issued, issuer: certificate)
        return issued
    }
}

extension CertificateProfile {
    /// Refuses a certificate that departs from this profile.
    fileprivate func require(_ certificate: Certificate, issuer: Certificate?) throws(CryptoError) {
        guard let first = deviations(of: certificate, issuer: issuer).first else { return }
        throw CryptoError(.invalidParameter, "the certificate departs from the profile \(name): \(first)")
    }
}
