#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An issuer of certificates and revocation lists: a certificate, and a signer with its key.
public struct CertificateAuthority: Sendable {
    /// The authority's own certificate.
    public let certificate: Certificate

    /// Holds the authority's private key.
    public let signer: any Signer

    /// Puts an authority together.
    ///
    /// - Throws: ``CryptoError`` with the code `keyMismatch` if the signer's key is not the certificate's.
    public init(certificate: Certificate, signer: any Signer) throws(CryptoError) {
        guard try certificate.publicKey() == signer.publicKey else {
            throw CryptoError(.keyMismatch, "the signer has another key than the certificate of \(certificate.subject)")
        }
        self.certificate = certificate
        self.signer = signer
    }

    /// Makes an authority with a root certificate of its own: an end of the path for ``CertificatePathValidator``.
    ///
    /// - Parameters:
    ///   - subject: The authority's name.
    ///   - signer: Holds its key.
    ///   - validity: From the first to the last second at which the root is valid.
    ///   - pathLength: The largest number of intermediate certificates that may follow, or nil for any number.
    ///   - extensions: More extensions.
    ///   - randomness: The source of the serial number.
    /// - Throws: ``CryptoError``; the errors of the signer.
    public static func root(
        subject: DistinguishedName,
        signer: any Signer,
        validity: ClosedRange<Date>,
        pathLength: Int? = nil,
        extensions: [CertificateExtension] = [],
        using randomness: some RandomSource = .system
    ) async throws -> CertificateAuthority {
        let builder = CertificateBuilder(
            subject: subject,
            publicKey: signer.publicKey,
            validity: validity,
            extensions: authorityExtensions(pathLength) + extensions,
            using: randomness
        )
        return try CertificateAuthority(certificate: await builder.selfSigned(by: signer), signer: signer)
    }

    /// Makes an authority below this one.
    ///
    /// - Parameters:
    ///   - subject: The new authority's name.
    ///   - signer: Holds its key.
    ///   - validity: From the first to the last second at which its certificate is valid.
    ///   - pathLength: The largest number of intermediate certificates below it, or nil for any number.
    ///   - extensions: More extensions.
    ///   - randomness: The source of the serial number.
    /// - Throws: ``CryptoError``; the errors of the signer.
    public func subordinate(
        subject: DistinguishedName,
        signer: any Signer,
        validity: ClosedRange<Date>,
        pathLength: Int? = nil,
        extensions: [CertificateExtension] = [],
        using randomness: some RandomSource = .system
    ) async throws -> CertificateAuthority {
        let builder = CertificateBuilder(
            subject: subject,
            publicKey: signer.publicKey,
            validity: validity,
            extensions: Self.authorityExtensions(pathLength) + extensions,
            using: randomness
        )
        return try CertificateAuthority(certificate: await builder.issued(by: self), signer: signer)
    }

    /// The extensions that make a certificate that of an authority (RFC 5280 sections 4.2.1.3 and 4.2.1.9).
    private static func authorityExtensions(_ pathLength: Int?) -> [CertificateExtension] {
        [.certificateAuthority(pathLength: pathLength), .keyUsage([.keyCertSign, .crlSign])]
    }
}
