package import CBORKit
public import COSEKit
public import CryptoCore
public import MdocKit

/// A website's data for calling a wallet: its ephemeral key, and the address for the wallet's answers
/// (ISO/IEC TS 18013-7, A.4).
///
/// The session is bound to the bytes exactly as shown.
public struct ReaderEngagement: Sendable {
    /// The version of the structure.
    public let version: MdocVersion
    /// The website's ephemeral key of the session.
    public let eReaderKey: COSEKey
    /// EReaderKeyBytes: the tag-24 item exactly as shown.
    public let eReaderKeyBytes: ArraySlice<UInt8>
    /// The methods for reaching the website.
    public let retrievalMethods: [DeviceRetrievalMethod]
    /// The structure as built or received.
    public let encodedBytes: ArraySlice<UInt8>
    /// The deviations from the standard that were tolerated in reading it as a whole message, or the link around it.
    public private(set) var deviations: [MdocDeviation] = []

    private static let cipherSuite = 1

    /// Builds an engagement of version 1.1.
    ///
    /// - Parameters:
    ///   - eReaderKey: The website's ephemeral key, new for every session.
    ///   - uri: The address for the wallet's answers; new for every session, so that it identifies the session.
    /// - Throws: `MdocError` with code `unsupportedKey` if the key is not on a curve for key agreement.
    public init(eReaderKey: PublicKey, uri: String) throws(MdocError) {
        let key = try MdocAlgorithms.keyAgreementKey(eReaderKey)
        let method = DeviceRetrievalMethod.website(uri: uri)
        let encoded = CBORWriter.bytes { writer in
            writer.beginMap(count: 3)
            writer.write(unsigned: 0)
            writer.write(text: MdocVersion.v1_1.description)
            writer.write(unsigned: 1)
            writer.beginArray(count: 2)
            writer.write(integer: Self.cipherSuite)
            writer.write(embedded: key.encoded())
            writer.write(unsigned: 2)
            writer.beginArray(count: 1)
            method.encode(to: &writer)
        }
        try self.init(decoding: encoded, options: .building)
    }

    /// Reads an engagement.
    ///
    /// - Throws: `MdocError` if it is not the structure, or its major version or its cipher suite is not 1.
    public init(decoding bytes: some Collection<UInt8>, options: MdocReadingOptions = .strict) throws(MdocError) {
        let bytes = Array(bytes)
        (self, deviations) = try Self.read(bytes[...], options)
    }

    /// Reads a link: `mdoc://` and the engagement in base64url.
    ///
    /// - Throws: `MdocError` with code `malformedURI` if the text is not of that form, or another if the content is not
    ///   an engagement.
    public init(link: String, options: MdocReadingOptions = .strict) throws(MdocError) {
        let content = try MdocURI(link)
        guard !content.isPadded || options.tolerances.contains(.paddedURI) else {
            throw MdocError(.deviation, "not tolerated: \(MdocTolerance.paddedURI)")
        }
        try self.init(decoding: content.bytes, options: options)
        if content.isPadded { deviations.append(MdocDeviation(tolerance: .paddedURI, path: CBORPath())) }
    }

    /// The link that calls a wallet: `mdoc://` and the engagement in base64url without padding.
    public var link: String { "mdoc://" + MdocBase64URL.encode(encodedBytes) }

    /// ReaderEngagementBytes: the structure in a tag-24 byte string, whose digest is the handover.
    public var taggedBytes: [UInt8] { CBORWriter.embedding(encodedBytes) }

    /// The address for the wallet's answers; nil if no website is named.
    public var uri: String? {
        for case .website(let uri) in retrievalMethods { return uri }
        return nil
    }
}

extension ReaderEngagement: MdocReadable {
    package init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        let map = try cbor(view.map())
        version = try MdocVersion(try cbor(map.required(0)), &reading)
        let security = try cbor(map.required(1))
        let members = Array(try cbor(security.array()))
        guard members.count == 2, try cbor(members[0].integer(as: Int.self)) == Self.cipherSuite else {
            throw MdocError(.invalidValue, "the security member must be cipher suite 1 and a key", at: security)
        }
        eReaderKey = try reading.key(try reading.embedded(members[1]))
        eReaderKeyBytes = members[1].encodedBytes
        retrievalMethods = try reading.list(
            try cbor(map.required(2)),
            limit: reading.options.limits.elements,
            of: "retrieval methods"
        )
        encodedBytes = view.encodedBytes
    }
}
