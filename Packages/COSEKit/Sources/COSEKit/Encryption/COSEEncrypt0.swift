public import CBORKit

/// Encrypted content for a receiver with the key: COSE_Encrypt0 (RFC 9052 section 5.2), read and not decrypted.
public struct COSEEncrypt0: COSEMessage {
    /// The headers.
    public let headers: COSEHeaders
    /// The ciphertext with its tag at the end; nil if it is detached.
    public let ciphertext: ArraySlice<UInt8>?
    /// Indicates that the message was received with its tag; false for one that was made here.
    public let isTagged: Bool

    private let received: ArraySlice<UInt8>?

    /// COSE_Encrypt0.
    public static var messageType: COSEMessageType { .encrypt0 }

    /// Reads a COSE_Encrypt0, tagged with 16 or untagged.
    public init(cbor view: CBORView, options: COSEReadingOptions) throws(COSEError) {
        self = try within("COSE_Encrypt0") { () throws(COSEError) in
            try COSEEncrypt0(COSEElements(of: .encrypt0, in: view), options)
        }
    }

    private init(_ elements: COSEElements, _ options: COSEReadingOptions) throws(COSEError) {
        headers = try elements.headers(options)
        ciphertext = try elements.optionalBytes(2, "ciphertext")
        isTagged = elements.isTagged
        received = elements.encodedBytes
    }

    init(headers: COSEHeaders, ciphertext: ArraySlice<UInt8>?) {
        self.headers = headers
        self.ciphertext = ciphertext
        isTagged = false
        received = nil
    }

    /// Writes the message: as received where it was received and not changed.
    public func encode(to writer: inout CBORWriter, tagged: Bool = true) {
        encode(to: &writer, tagged: tagged, received: received) { writer in
            writer.write(optionalBytes: ciphertext)
        }
    }

    /// The message without its ciphertext, and the ciphertext, to be sent apart.
    public func detached() -> (message: COSEEncrypt0, ciphertext: [UInt8]) {
        (COSEEncrypt0(headers: headers, ciphertext: nil), [UInt8](ciphertext ?? []))
    }
}
