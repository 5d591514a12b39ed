#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The indexed fields of a certificate's encoding: their ranges, and the values that every check needs.
struct CertificateFields: Sendable {
    /// TBSCertificate, tag and length included: what the signature covers.
    let tbsCertificate: Range<Int>
    /// 1, 2 or 3.
    let version: Int
    /// The contents octets of serialNumber.
    let serialNumber: Range<Int>
    /// The AlgorithmIdentifier of the signature, tag and length included.
    let signatureAlgorithm: Range<Int>
    /// The RDNSequences, tag and length included.
    let issuer: Range<Int>
    let subject: Range<Int>
    let notValidBefore: Date
    let notValidAfter: Date
    /// SubjectPublicKeyInfo, tag and length included.
    let subjectPublicKeyInfo: Range<Int>
    /// The octets of the BIT STRING in it.
    let subjectPublicKey: Range<Int>
    /// The octets of signatureValue.
    let signature: Range<Int>

    let extensions: [ExtensionEntry]
    let known: KnownExtensions
    let deviations: CertificateEncodingDeviations

    /// The extensions that a path validation always looks at, read together with the certificate.
    struct KnownExtensions: Sendable {
        var basicConstraints: BasicConstraints?
        var keyUsage: KeyUsage?
        var extendedKeyUsage: ExtendedKeyUsage?
        var subjectKeyIdentifier: Range<Int>?
        var authorityKeyIdentifier: AuthorityKeyIdentifier?
    }
}
