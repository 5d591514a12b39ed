import CBORKit

/// One signer's part of a COSE_Sign: COSE_Signature (RFC 9052 section 4.1), read and not verified.
public struct COSESignature: Sendable {
    /// The headers of the signer.
    public let headers: COSEHeaders
    /// The signature: for ECDSA r‖s in fixed width.
    public let signature: ArraySlice<UInt8>

    private let received: ArraySlice<UInt8>?

    init(cbor view: CBORView, options: COSEReadingOptions) throws(COSEError) {
        let elements = try COSEElements(of: view, count: 3...3)
        headers = try elements.headers(options)
        signature = try elements.bytes(2, "signature")
        received = elements.encodedBytes
    }

    init(headers: COSEHeaders, signature: ArraySlice<UInt8>) {
        self.headers = headers
        self.signature = signature
        received = nil
    }

    func encode(to writer: inout CBORWriter) {
        if let received {
            writer.write(encoded: received)
            return
        }
        writer.beginArray(count: 3)
        headers.encode(to: &writer)
        writer.write(bytes: signature)
    }
}
