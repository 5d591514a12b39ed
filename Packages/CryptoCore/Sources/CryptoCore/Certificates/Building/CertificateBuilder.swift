#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Builds certificates: the content, and the ways to have it signed.
///
/// ```swift
/// let key = try PrivateKey.generate(.p256)
/// let builder = try CertificateBuilder(
///     subject: DistinguishedName(commonName: "verifier.example"),
///     publicKey: key.publicKey,
///     validity: now...now.addingTimeInterval(90 * 86_400),
///     extensions: [.keyUsage(.digitalSignature), .subjectAlternativeName([.dns("verifier.example")])]
/// )
/// let certificate = try await builder.issued(by: authority)
/// ```
/// Subject and authority key identifiers are added automatically. For the roles of ISO/IEC 18013-5 a
/// ``CertificateAuthority`` fills everything in.
public struct CertificateBuilder: Sendable {
    /// The serial number, big-endian; 16 random bytes by default.
    public var serialNumber: [UInt8]

    /// The subject of the certificate.
    public var subject: DistinguishedName

    /// The subject's key.
    public var publicKey: PublicKey

    /// From the first to the last second at which the certificate is valid; fractions are cut off.
    public var validity: ClosedRange<Date>

    /// The extensions in the order in which they are written, key identifiers excepted.
    public var extensions: [CertificateExtension]

    /// Starts a certificate.
    ///
    /// - Parameters:
    ///   - subject: The subject of the certificate; may be empty if a subjectAltName names it.
    ///   - publicKey: The subject's key.
    ///   - validity: From the first to the last second at which the certificate is valid.
    ///   - extensions: The extensions, key identifiers excepted.
    ///   - randomness: The source of the serial number.
    public init(
        subject: DistinguishedName,
        publicKey: PublicKey,
        validity: ClosedRange<Date>,
        extensions: [CertificateExtension] = [],
        using randomness: some RandomSource = .system
    ) {
        self.subject = subject
        self.publicKey = publicKey
        self.validity = validity
        self.extensions = extensions
        serialNumber = Self.serialNumber(using: randomness)
    }

    /// 126 random bits between two fixed ones, so that the number is positive and always of the same length.
    private static func serialNumber(using randomness: some RandomSource) -> [UInt8] {
        var octets = randomness.bytes(16)
        if let first = octets.first { octets[0] = first & 0x7f | 0x40 }
        return octets
    }

    /// The key identifier of the subject: SHA-1 over the bits of its key (RFC 5280, 4.2.1.2, method 1).
    var subjectKeyIdentifier: [UInt8] {
        get throws(CryptoError) {
            var reader = DERReader(publicKey.subjectPublicKeyInfo)
            var info = try reader.readSequence()
            _ = try info.readSequence()
            return HashAlgorithm.sha1.digest(of: try info.readBitString())
        }
    }
}
