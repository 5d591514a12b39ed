public import CBORKit

/// A payload with an authentication tag for recipients: COSE_Mac (RFC 9052 section 6.1), read and not verified.
public struct COSEMac: COSEMessage {
    /// The headers of the body.
    public let headers: COSEHeaders
    /// The unverified payload as received; nil if it is detached.
    public let unverifiedPayload: ArraySlice<UInt8>?
    /// The authentication tag.
    public let tag: ArraySlice<UInt8>
    /// The recipients of the key, at least one.
    public let recipients: [COSERecipient]
    /// Indicates that the message was received with its tag; false for one that was made here.
    public let isTagged: Bool

    private let received: ArraySlice<UInt8>?

    /// COSE_Mac.
    public static var messageType: COSEMessageType { .mac }

    /// Reads a COSE_Mac, tagged with 97 or untagged.
    public init(cbor view: CBORView, options: COSEReadingOptions) throws(COSEError) {
        self = try within("COSE_Mac") { () throws(COSEError) in
            try COSEMac(COSEElements(of: .mac, in: view), options)
        }
    }

    private init(_ elements: COSEElements, _ options: COSEReadingOptions) throws(COSEError) {
        headers = try elements.headers(options)
        unverifiedPayload = try elements.optionalBytes(2, "payload")
        tag = try elements.bytes(3, "tag")
        recipients = try elements.recipients(4, options, depth: options.recipientDepth)
        isTagged = elements.isTagged
        received = elements.encodedBytes
    }

    init(
        headers: COSEHeaders,
        payload: ArraySlice<UInt8>?,
        tag: ArraySlice<UInt8>,
        recipients: [COSERecipient]
    ) {
        self.headers = headers
        unverifiedPayload = payload
        self.tag = tag
        self.recipients = recipients
        isTagged = false
        received = nil
    }

    /// Writes the message: as received where it was received and not changed.
    public func encode(to writer: inout CBORWriter, tagged: Bool = true) {
        encode(to: &writer, tagged: tagged, received: received) { writer in
            writer.write(optionalBytes: unverifiedPayload)
            writer.write(bytes: tag)
            writer.write(recipients)
        }
    }
}
