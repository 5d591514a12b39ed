public import CBORKit

/// Encrypted content for recipients: COSE_Encrypt (RFC 9052 section 5.1), read and not decrypted.
public struct COSEEncrypt: COSEMessage {
    /// The headers of the body.
    public let headers: COSEHeaders
    /// The ciphertext with its tag at the end; nil if it is detached.
    public let ciphertext: ArraySlice<UInt8>?
    /// The recipients of the key, at least one.
    public let recipients: [COSERecipient]
    /// Indicates that the message was received with its tag; false for one that was made here.
    public let isTagged: Bool

    private let received: ArraySlice<UInt8>?

    /// COSE_Encrypt.
    public static var messageType: COSEMessageType { .encrypt }

    /// Reads a COSE_Encrypt, tagged with 96 or untagged.
    public init(cbor view: CBORView, options: COSEReadingOptions) throws(COSEError) {
        self = try within("COSE_Encrypt") { () throws(COSEError) in
            try COSEEncrypt(COSEElements(of: .encrypt, in: view), options)
        }
    }

    private init(_ elements: COSEElements, _ options: COSEReadingOptions) throws(COSEError) {
        headers = try elements.headers(options)
        ciphertext = try elements.optionalBytes(2, "ciphertext")
        recipients = try elements.recipients(3, options, depth: options.recipientDepth)
        isTagged = elements.isTagged
        received = elements.encodedBytes
    }

    init(headers: COSEHeaders, ciphertext: ArraySlice<UInt8>?, recipients: [COSERecipient]) {
        self.headers = headers
        self.ciphertext = ciphertext
        self.recipients = recipients
        isTagged = false
        received = nil
    }

    /// Writes the message: as received where it was received and not changed.
    public func encode(to writer: inout CBORWriter, tagged: Bool = true) {
        encode(to: &writer, tagged: tagged, received: received) { writer in
            writer.write(optionalBytes: ciphertext)
            writer.write(recipients)
        }
    }

    /// The message without its ciphertext, and the ciphertext, to be sent apart.
    public func detached() -> (message: COSEEncrypt, ciphertext: [UInt8]) {
        (COSEEncrypt(headers: headers, ciphertext: nil, recipients: recipients), [UInt8](ciphertext ?? []))
    }
}
