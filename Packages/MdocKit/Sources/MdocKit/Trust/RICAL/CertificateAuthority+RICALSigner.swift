public import CryptoCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension CertificateAuthority {
    /// Issues a RICAL signer certificate, as `CertificateProfile.ricalSigner` wants it (ISO/IEC 18013-5, second edition,
    /// Table F.1).
    ///
    /// - Parameters:
    ///   - subject: The signer's name; countryName, organizationName and commonName are mandatory.
    ///   - publicKey: The signer's key.
    ///   - validity: At most 1187 days.
    ///   - revocationListURI: Where the authority's revocation list is to be had.
    ///   - randomness: Where the serial number comes from.
    /// - Returns: The certificate.
    /// - Throws: `CryptoError` with the code `invalidParameter` where the certificate would depart from the profile; what
    ///   the signer throws.
    public func issueRICALSigner(
        subject: DistinguishedName,
        publicKey: PublicKey,
        validity: ClosedRange<Date>,
        revocationListURI: String,
        randomness: some RandomSource = SystemRandomSource()
    ) async throws -> Certificate {
        let builder = CertificateBuilder(
            subject: subject,
            publicKey: publicKey,
            validity: validity,
            extensions: [.keyUsage(.digitalSignature), .crlDistributionPoints([revocationListURI])],
            randomness: randomness
        )
        let issued = try await builder.issued(by: self)
        let profile = CertificateProfile.ricalSigner
        if let first = profile.deviations(of: issued, issuer: certificate).first {
            throw CryptoError(.invalidParameter, "the certificate departs from the profile \(profile.name): \(first)")
        }
        return issued
    }
}
