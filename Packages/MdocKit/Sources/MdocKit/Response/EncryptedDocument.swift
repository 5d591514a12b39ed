package import CBORKit

/// Documents that are encrypted to a key of the request (ISO/IEC 18013-5 second edition); kept, not opened.
public struct EncryptedDocument: Sendable {
    /// The encapsulated key of HPKE.
    public let enc: ArraySlice<UInt8>
    /// The ciphertext.
    public let cipherText: ArraySlice<UInt8>
    /// The document request that it answers, counted from 0.
    public let docRequestID: UInt64
}

extension EncryptedDocument: MdocReadable {
    package init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        let map = try cbor(view.map())
        enc = try cbor(map.required("enc").bytes())
        cipherText = try cbor(map.required("cipherText").bytes())
        docRequestID = try cbor(map.required("docRequestID").integer())
    }
}
