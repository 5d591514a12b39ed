public import CBORKit

/// A payload with an authentication tag, for a receiver who knows the key: COSE_Mac0 (RFC 9052 section 6.2), read and
/// not verified.
public struct COSEMac0: COSEMessage {
    /// The headers.
    public let headers: COSEHeaders
    /// The unverified payload as received; nil if it is detached.
    public let unverifiedPayload: ArraySlice<UInt8>?
    /// The authentication tag.
    public let tag: ArraySlice<UInt8>
    /// Indicates that the message was received with its tag; false for one that was made here.
    public let isTagged: Bool

    private let received: ArraySlice<UInt8>?

    /// COSE_Mac0.
    public static var messageType: COSEMessageType { .mac0 }

    /// Reads a COSE_Mac0, tagged with 17 or untagged.
    public init(cbor view: CBORView, options: COSEReadingOptions) throws(COSEError) {
        self = try within("COSE_Mac0") { () throws(COSEError) in
            try COSEMac0(COSEElements(of: .mac0, in: view), options)
        }
    }

    private init(_ elements: COSEElements, _ options: COSEReadingOptions) throws(COSEError) {
        headers = try elements.headers(options)
        unverifiedPayload = try elements.optionalBytes(2, "payload")
        tag = try elements.bytes(3, "tag")
        isTagged = elements.isTagged
        received = elements.encodedBytes
    }

    init(headers: COSEHeaders, payload: ArraySlice<UInt8>?, tag: ArraySlice<UInt8>) {
        self.headers = headers
        unverifiedPayload = payload
        self.tag = tag
        isTagged = false
        received = nil
    }

    /// Writes the message: as received where it was received and not changed.
    public func encode(to writer: inout CBORWriter, tagged: Bool = true) {
        encode(to: &writer, tagged: tagged, received: received) { writer in
            writer.write(optionalBytes: unverifiedPayload)
            writer.write(bytes: tag)
        }
    }
}
