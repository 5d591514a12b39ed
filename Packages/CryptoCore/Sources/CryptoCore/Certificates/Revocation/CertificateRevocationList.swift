#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A certificate revocation list (RFC 5280, chapter 5) as it was received, read in place and not verified.
///
/// It proves nothing about any certificate: ``verify(issuer:at:)`` returns the ``VerifiedCertificateRevocationList`` that
/// does. The caller brings the list; nothing is fetched here.
public struct CertificateRevocationList: Sendable {
    /// The largest encoding that is read by default, in bytes: 4 MiB.
    public static let defaultMaximumSize = 4 * 1024 * 1024

    /// The one copy of a list that all values of it share.
    final class Storage: Sendable {
        let bytes: [UInt8]
        let fields: RevocationListFields

        init(_ bytes: [UInt8], maximumSize: Int) throws(CryptoError) {
            fields = try RevocationListFields(bytes, maximumSize: maximumSize)
            self.bytes = bytes
        }
    }

    let storage: Storage

    /// Reads the DER of a list.
    ///
    /// - Throws: ``CryptoError`` that says what is wrong and at which byte, with the codes
    ///   ``CryptoError/Code/invalidDER``, ``CryptoError/Code/duplicateExtension`` or
    ///   ``CryptoError/Code/limitExceeded``.
    public init(der: some Collection<UInt8>, maximumSize: Int = defaultMaximumSize) throws(CryptoError) {
        storage = try Storage(Array(der), maximumSize: maximumSize)
    }

    /// Reads a list from PEM text that holds exactly one structure, of the label `X509 CRL`.
    public init(pem text: some StringProtocol, maximumSize: Int = defaultMaximumSize) throws(CryptoError) {
        let pem = try PEM(text)
        guard pem.label == "X509 CRL" else {
            throw CryptoError(.invalidPEM, "\(pem.label) was found instead of X509 CRL")
        }
        try self.init(der: pem.bytes, maximumSize: maximumSize)
    }

    var fields: RevocationListFields { storage.fields }

    /// The whole encoding.
    public var derBytes: [UInt8] { storage.bytes }

    /// TBSCertList as received: the bytes that the signature covers.
    public var tbsCertListBytes: ArraySlice<UInt8> { storage.bytes[fields.tbsCertList] }

    /// The version: 1 or 2.
    public var version: Int { fields.version }

    /// The name of the authority that signed.
    public var issuer: DistinguishedName { DistinguishedName(checked: storage.bytes[fields.issuer]) }

    /// When the list was issued.
    public var thisUpdate: Date { fields.thisUpdate }

    /// The time by which the next list is issued, or nil.
    public var nextUpdate: Date? { fields.nextUpdate }

    /// The number of listed certificates.
    public var count: Int { fields.entries.count }

    /// The algorithm of the signature, or nil for one that this module does not know.
    public var signatureAlgorithm: SignatureAlgorithm? {
        SignatureAlgorithm(algorithmIdentifier: storage.bytes[fields.signatureAlgorithm])
    }

    /// The signature: for ECDSA the DER of `ECDSA-Sig-Value`.
    public var signature: ArraySlice<UInt8> { storage.bytes[fields.signature] }

    /// The extensions as encoded, in order.
    public var extensions: [CertificateExtension] { fields.extensions.map { $0.value(in: storage.bytes) } }

    /// cRLNumber, big-endian in two's complement, or nil if it is absent.
    public var number: ArraySlice<UInt8>? {
        get throws(CryptoError) { try value(.crlNumber, as: CRLNumber.self)?.octets }
    }

    /// authorityKeyIdentifier, or nil if it is absent.
    public var authorityKeyIdentifier: AuthorityKeyIdentifier? {
        get throws(CryptoError) { try value(.authorityKeyIdentifier, as: AuthorityKeyIdentifier.self) }
    }

    /// Returns `true` if a key signed this list; `false` too for an unknown algorithm or one that does not fit the key.
    public func isSigned(by key: PublicKey) -> Bool {
        guard let signatureAlgorithm, signatureAlgorithm.supports(key) else { return false }
        return key.isValidSignature(signature, for: tbsCertListBytes, algorithm: signatureAlgorithm, format: .der)
    }

    /// The content of an extension, or nil if it is absent.
    func value<Value: ExtensionValue>(_ id: OID, as type: Value.Type) throws(CryptoError) -> Value? {
        guard let entry = fields.extensions.first(where: { storage.bytes[$0.id] == id.encodedBytes }) else {
            return nil
        }
        do throws(CryptoError) {
            return try Value(id, storage.bytes[entry.value])
        } catch {
            throw error.inside("CertificateList")
        }
    }
}

extension CertificateRevocationList: Hashable {
    /// Returns `true` if the encodings are the same.
    public static func == (left: CertificateRevocationList, right: CertificateRevocationList) -> Bool {
        left.storage === right.storage || left.storage.bytes == right.storage.bytes
    }

    /// Hashes the signature, which tells lists apart.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(signature)
    }
}

/// cRLNumber (RFC 5280, 5.2.3).
private struct CRLNumber: ExtensionValue {
    let octets: ArraySlice<UInt8>

    init(from reader: inout DERReader) throws(CryptoError) {
        octets = try reader.next(DERReader.Tag.integer, "CRLNumber").integer("CRLNumber")
    }
}
