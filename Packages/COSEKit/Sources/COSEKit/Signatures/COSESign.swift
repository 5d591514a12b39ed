public import CBORKit

/// Several signatures over a payload: COSE_Sign (RFC 9052 section 4.1), read and not verified.
public struct COSESign: COSEMessage {
    /// The headers of the body.
    public let headers: COSEHeaders
    /// The unverified payload as received; nil if it is detached.
    public let unverifiedPayload: ArraySlice<UInt8>?
    /// The signatures, at least one.
    public let signatures: [COSESignature]
    /// Indicates that the message was received with its tag; false for one that was made here.
    public let isTagged: Bool

    private let received: ArraySlice<UInt8>?

    /// COSE_Sign.
    public static var messageType: COSEMessageType { .sign }

    /// Reads a COSE_Sign, tagged with 98 or untagged.
    public init(cbor view: CBORView, options: COSEReadingOptions) throws(COSEError) {
        self = try within("COSE_Sign") { () throws(COSEError) in
            try COSESign(COSEElements(of: .sign, in: view), options)
        }
    }

    private init(_ elements: COSEElements, _ options: COSEReadingOptions) throws(COSEError) {
        headers = try elements.headers(options)
        unverifiedPayload = try elements.optionalBytes(2, "payload")
        signatures = try elements.list(3, "signatures", limit: options.signatures) { view throws(COSEError) in
            try COSESignature(cbor: view, options: options)
        }
        isTagged = elements.isTagged
        received = elements.encodedBytes
    }

    init(headers: COSEHeaders, payload: ArraySlice<UInt8>?, signatures: [COSESignature]) {
        self.headers = headers
        unverifiedPayload = payload
        self.signatures = signatures
        isTagged = false
        received = nil
    }

    /// Writes the message: as received where it was received and not changed.
    public func encode(to writer: inout CBORWriter, tagged: Bool = true) {
        encode(to: &writer, tagged: tagged, received: received) { writer in
            writer.write(optionalBytes: unverifiedPayload)
            writer.beginArray(count: signatures.count)
            for signature in signatures { signature.encode(to: &writer) }
        }
    }
}
