package import CBORKit
public import COSEKit
public import CryptoCore
public import MdocKit

/// The first message of a reader: its ephemeral key, and its request encrypted (ISO/IEC 18013-5, 12.2.4).
public struct SessionEstablishment: Sendable {
    /// The reader's ephemeral key.
    public let eReaderKey: COSEKey
    /// EReaderKeyBytes: the tag-24 item exactly as built or received.
    public let eReaderKeyBytes: ArraySlice<UInt8>
    /// The encrypted request.
    public let data: ArraySlice<UInt8>
    /// The structure as built or received.
    public let encodedBytes: ArraySlice<UInt8>
    /// The deviations from the standard that were tolerated in reading it as a whole message.
    public private(set) var deviations: [MdocDeviation] = []

    /// Builds the message.
    ///
    /// - Parameters:
    ///   - eReaderKeyBytes: EReaderKeyBytes as in the session transcript, see ``eReaderKeyBytes(for:)``.
    ///   - data: The encrypted request.
    public init(eReaderKeyBytes: [UInt8], data: [UInt8]) throws(MdocError) {
        let encoded = CBORWriter.bytes { writer in
            writer.beginMap(count: 2)
            writer.write(text: "eReaderKey")
            writer.write(encoded: eReaderKeyBytes)
            writer.write(text: "data")
            writer.write(bytes: data)
        }
        try self.init(decoding: encoded, options: .building)
    }

    /// Reads the message.
    public init(decoding bytes: some Collection<UInt8>, options: MdocReadingOptions = .strict) throws(MdocError) {
        let bytes = Array(bytes)
        (self, deviations) = try Self.read(bytes[...], options)
    }

    /// EReaderKeyBytes of a key: the COSE_Key in a tag-24 byte string.
    ///
    /// - Throws: `MdocError` with code `unsupportedKey` if the key is not on a curve for key agreement.
    public static func eReaderKeyBytes(for key: PublicKey) throws(MdocError) -> [UInt8] {
        CBORWriter.embedding(try MdocAlgorithms.keyAgreementKey(key).encoded())
    }
}

extension SessionEstablishment: MdocReadable {
    package init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        let map = try cbor(view.map())
        let key = try cbor(map.required("eReaderKey"))
        eReaderKey = try reading.key(try reading.embedded(key))
        eReaderKeyBytes = key.encodedBytes
        data = try cbor(map.required("data").bytes())
        encodedBytes = view.encodedBytes
    }
}
