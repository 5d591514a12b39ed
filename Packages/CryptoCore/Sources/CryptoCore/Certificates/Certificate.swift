#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An X.509 certificate (RFC 5280) as it was received, read in place and not verified.
///
/// The encoding is kept and is what signatures and fingerprints are checked over; nothing is encoded again. Reading
/// checks the structure of everything but the extensions that few callers need, which are read when asked for. It does
/// not import the subject's key (``publicKey(options:)`` does) and says nothing about trust:
/// ``CertificatePathValidator`` does.
///
/// Two certificates are equal when their bytes are. Copies share one storage.
public struct Certificate: Sendable {
    let storage: CertificateStorage

    /// Reads the DER of a certificate.
    ///
    /// - Throws: ``CryptoError`` that says what is wrong and at which byte, with the codes
    ///   ``CryptoError/Code/invalidDER``, ``CryptoError/Code/duplicateExtension`` or
    ///   ``CryptoError/Code/limitExceeded``.
    public init(der: some Collection<UInt8>, limits: CertificateLimits = .default) throws(CryptoError) {
        storage = try CertificateStorage(Array(der), limits: limits)
    }

    /// Reads a certificate from PEM text that holds exactly one structure, of the label `CERTIFICATE`.
    public init(pem: some StringProtocol, limits: CertificateLimits = .default) throws(CryptoError) {
        try self.init(PEM(pem), limits: limits)
    }

    private init(_ pem: PEM, limits: CertificateLimits) throws(CryptoError) {
        guard pem.label == "CERTIFICATE" else {
            throw CryptoError(.invalidPEM, "\(pem.label) was found instead of CERTIFICATE")
        }
        try self.init(der: pem.bytes, limits: limits)
    }

    /// Reads every certificate of a PEM text in order; structures with another label are skipped.
    public static func all(
        inPEM text: some StringProtocol,
        limits: CertificateLimits = .default
    ) throws(CryptoError) -> [Certificate] {
        var certificates: [Certificate] = []
        for pem in try PEM.all(in: text) where pem.label == "CERTIFICATE" {
            certificates.append(try Certificate(pem, limits: limits))
        }
        return certificates
    }

    private var fields: CertificateFields { storage.fields }

    /// The whole encoding.
    public var derBytes: [UInt8] { storage.bytes }

    /// The certificate as PEM text.
    public var pem: String { PEM(label: "CERTIFICATE", bytes: derBytes).text }

    /// TBSCertificate as received: the bytes that the signature covers.
    public var tbsCertificateBytes: ArraySlice<UInt8> { storage.bytes[fields.tbsCertificate] }

    /// The version: 1, 2 or 3.
    public var version: Int { fields.version }

    /// The serial number, big-endian in two's complement as it stands in the encoding: a leading zero byte keeps a
    /// positive number positive.
    public var serialNumber: ArraySlice<UInt8> { storage.bytes[fields.serialNumber] }

    /// The name of the certificate authority that signed.
    public var issuer: DistinguishedName { DistinguishedName(checked: storage.bytes[fields.issuer]) }

    /// The name of the party that the certificate is about; may be empty.
    public var subject: DistinguishedName { DistinguishedName(checked: storage.bytes[fields.subject]) }

    /// The first second at which the certificate is valid.
    public var notValidBefore: Date { fields.notValidBefore }

    /// The last second at which the certificate is valid.
    public var notValidAfter: Date { fields.notValidAfter }

    /// Returns `true` if a time lies in the validity period, both ends included (RFC 5280, 4.1.2.5).
    public func isValid(at time: Date) -> Bool {
        notValidBefore <= time && time.isUpToLastSecond(notValidAfter)
    }

    /// SubjectPublicKeyInfo as received.
    public var subjectPublicKeyInfo: ArraySlice<UInt8> { storage.bytes[fields.subjectPublicKeyInfo] }

    /// The deviations of the encoding from RFC 5280 that do not make it ambiguous.
    public var encodingDeviations: CertificateEncodingDeviations { fields.deviations }

    /// Indicates that subject and issuer are the same name (RFC 5280, 3.2).
    public var isSelfIssued: Bool { subject.matches(issuer) }
}

extension Certificate: Hashable {
    /// Returns `true` if the encodings are the same.
    public static func == (left: Certificate, right: Certificate) -> Bool {
        left.storage === right.storage || left.storage.bytes == right.storage.bytes
    }

    /// Hashes the end of the encoding: the signature, which differs wherever anything does.
    public func hash(into hasher: inout Hasher) {
        unsafe storage.bytes.suffix(64).withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }
}

extension Certificate: CustomStringConvertible {
    /// Subject, issuer and validity in one line.
    public var description: String {
        "certificate of \(subject) by \(issuer), valid from \(notValidBefore) to \(notValidAfter)"
    }
}

extension CryptoError.Code {
    /// An extension occurs twice in one certificate or revocation list (RFC 5280, 4.2).
    public static let duplicateExtension = CryptoError.Code("duplicateExtension")
    /// A signature that was just made does not verify with the signer's public key.
    public static let invalidSignature = CryptoError.Code("invalidSignature")
}

extension Date {
    /// Returns `true` up to the end of a last second: dates of certificates have no fractions, and both ends of a validity
    /// belong to it (RFC 5280, 4.1.2.5).
    func isUpToLastSecond(_ last: Date) -> Bool { timeIntervalSince(last) < 1 }
}
