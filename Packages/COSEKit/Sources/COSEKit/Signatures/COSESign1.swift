public import CBORKit

/// One signature over a payload: COSE_Sign1 (RFC 9052 section 4.2), read and not verified.
///
/// ```swift
/// let message = try COSESign1(decoding: bytes)
/// let verified = try message.verify(with: issuerKey, policy: [.es256])
/// use(verified.payload)
/// ```
public struct COSESign1: COSEMessage {
    /// The headers.
    public var headers: COSEHeaders { members.headers }
    /// The unverified payload as received; nil if it is detached.
    public var unverifiedPayload: ArraySlice<UInt8>? { members.payload }
    /// The signature: for ECDSA r‖s in fixed width.
    public var signature: ArraySlice<UInt8> { members.signature }
    /// Indicates that the message was received with its tag; false for one that was made here.
    public var isTagged: Bool { members.isTagged }

    private let members: Members

    /// The storage that all copies share.
    private final class Members: Sendable {
        let headers: COSEHeaders
        let payload: ArraySlice<UInt8>?
        let signature: ArraySlice<UInt8>
        let isTagged: Bool
        /// The elements as received, without the tag; nil for a message that was made here.
        let received: ArraySlice<UInt8>?

        init(_ elements: COSEElements, _ options: COSEReadingOptions) throws(COSEError) {
            headers = try elements.headers(options)
            payload = try elements.optionalBytes(2, "payload")
            signature = try elements.bytes(3, "signature")
            isTagged = elements.isTagged
            received = elements.encodedBytes
        }

        init(headers: COSEHeaders, payload: ArraySlice<UInt8>?, signature: ArraySlice<UInt8>) {
            self.headers = headers
            self.payload = payload
            self.signature = signature
            isTagged = false
            received = nil
        }
    }

    /// COSE_Sign1.
    public static var messageType: COSEMessageType { .sign1 }

    /// Reads a COSE_Sign1, tagged with 18 or untagged.
    public init(cbor view: CBORView, options: COSEReadingOptions) throws(COSEError) {
        members = try within("COSE_Sign1") { () throws(COSEError) in
            try Members(COSEElements(of: .sign1, in: view), options)
        }
    }

    init(headers: COSEHeaders, payload: ArraySlice<UInt8>?, signature: ArraySlice<UInt8>) {
        members = Members(headers: headers, payload: payload, signature: signature)
    }

    /// Writes the message: as received where it was received and not changed.
    public func encode(to writer: inout CBORWriter, tagged: Bool = true) {
        encode(to: &writer, tagged: tagged, received: members.received) { writer in
            writer.write(optionalBytes: unverifiedPayload)
            writer.write(bytes: signature)
        }
    }
}
