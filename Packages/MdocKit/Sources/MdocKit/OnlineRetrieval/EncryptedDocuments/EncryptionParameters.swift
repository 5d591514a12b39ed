package import CBORKit
import COSEKit
public import CryptoCore

/// The recipient and parameters for encrypting the answer to a document request (ISO/IEC 18013-5 second edition,
/// 10.2.5).
///
/// The encryption is bound to the bytes as built or received, ``taggedBytes``.
public struct EncryptionParameters: Sendable {
    /// The recipient's key, on P-256.
    public let recipientPublicKey: PublicKey
    /// The recipient's certificate and its chain in DER, leaf first, not verified; empty if absent.
    public let recipientCertificate: [[UInt8]]
    /// A nonce of the recipient, if there is one.
    public let nonce: [UInt8]?
    /// EncryptionParametersBytes: the tag-24 item exactly as built or received.
    public let taggedBytes: [UInt8]
    /// The deviations from the standard that were tolerated in reading it as a whole message.
    public private(set) var deviations: [MdocDeviation] = []

    /// Builds the structure.
    ///
    /// - Parameters:
    ///   - recipientKey: The recipient's key, on P-256.
    ///   - certificates: The recipient's certificate and its chain, leaf first, if the wallet is to know who that is.
    ///   - nonce: A nonce of the recipient.
    /// - Throws: ``MdocError`` with code `unsupportedKey` for a key on another curve.
    public init(
        recipientKey: PublicKey,
        certificates: [Certificate] = [],
        nonce: [UInt8]? = nil
    ) throws(MdocError) {
        try MdocHPKE.requireRecipient(recipientKey)
        let key = try MdocAlgorithms.coseKey(recipientKey)
        let content = CBORWriter.bytes { writer in
            writer.beginMap(count: 1 + (certificates.isEmpty ? 0 : 1) + (nonce == nil ? 0 : 1))
            writer.write(text: "recipientPublicKey")
            writer.write(encoded: key.encoded())
            if !certificates.isEmpty {
                writer.write(text: "recipientCertificate")
                writer.beginArray(count: certificates.count)
                for certificate in certificates { writer.write(bytes: certificate.derBytes) }
            }
            if let nonce {
                writer.write(text: "nonce")
                writer.write(bytes: nonce)
            }
        }
        try self.init(taggedBytes: CBORWriter.embedding(content), options: .building)
    }

    /// Reads EncryptionParametersBytes, see ``DocRequestInfo/docResponseEncryption``.
    public init(taggedBytes: [UInt8], options: MdocReadingOptions = .strict) throws(MdocError) {
        (self, deviations) = try Self.read(taggedBytes[...], options)
    }
}

extension EncryptionParameters: MdocReadable {
    package init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        taggedBytes = [UInt8](view.encodedBytes)
        let map = try reading.embeddedMap(view)
        recipientPublicKey = try reading.recipientKey(try cbor(map.required("recipientPublicKey"))).key
        recipientCertificate = try Self.certificates(map.value(forKey: "recipientCertificate"), reading)
        nonce = try map.value(forKey: "nonce").map { (view) throws(MdocError) in [UInt8](try cbor(view.bytes())) }
    }

    private static func certificates(_ view: CBORView?, _ reading: Reading) throws(MdocError) -> [[UInt8]] {
        guard let view else { return [] }
        let array = try cbor(view.array())
        let limits = reading.options.limits
        try reading.check(array.count, limit: limits.certificates, "certificates", at: view)
        var certificates: [[UInt8]] = []
        for view in array {
            let bytes = try cbor(view.bytes())
            try reading.check(bytes.count, limit: limits.certificateSize, "bytes of a certificate", at: view)
            certificates.append([UInt8](bytes))
        }
        return certificates
    }
}

extension DocRequestInfo {
    /// The recipient of the encrypted answer; nil for the reader itself.
    ///
    /// - Throws: ``MdocError`` if the member is not the structure or its key is not on P-256.
    public func encryptionParameters(
        options: MdocReadingOptions = .strict
    ) throws(MdocError) -> EncryptionParameters? {
        guard let docResponseEncryption else { return nil }
        return try EncryptionParameters(taggedBytes: docResponseEncryption, options: options)
    }
}

extension SessionTranscript {
    /// The transcript that encrypted documents are bound to: EncryptionParametersBytes stand in the place of
    /// EReaderKeyBytes (ISO/IEC 18013-5 second edition, 12.7.1).
    public func encrypting(to parameters: EncryptionParameters) -> SessionTranscript {
        SessionTranscript(
            deviceEngagementBytes: deviceEngagementBytes,
            eReaderKeyBytes: parameters.taggedBytes,
            handover: handover
        )
    }
}
