public import CBORKit

/// A zero-knowledge proof about a document (ISO/IEC 18013-5 second edition); kept, not checked.
///
/// The member's forms still differ between the draft and deployed code, so that the data is kept as received.
public struct ZkDocument: Sendable {
    /// The type of the document that the proof is about.
    public let docType: DocType
    /// The system that made the proof: `zkSystemId`, or `id` in earlier code.
    public let zkSystemID: String
    /// The day of the proof.
    public let timestamp: CBORDate
    /// The proven data: the content of ``documentDataBytes``.
    public let documentData: CBORView
    /// The tag-24 item with the data, exactly as received.
    public let documentDataBytes: ArraySlice<UInt8>
    /// The proof.
    public let proof: ArraySlice<UInt8>
}

extension ZkDocument: MdocReadable {
    package init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        let map = try cbor(view.map())
        let dataView = try cbor(map.required("documentData"))
        documentData = try reading.embedded(dataView)
        documentDataBytes = dataView.encodedBytes
        proof = try cbor(map.required("proof").bytes())
        let data = try cbor(documentData.map())
        docType = try reading.name(try cbor(data.required("docType")))
        let identifier = data.value(forKey: "zkSystemId") ?? data.value(forKey: "id")
        guard let identifier else {
            throw MdocError(.missingMember, "the key zkSystemId is missing", at: documentData)
        }
        zkSystemID = try cbor(identifier.text())
        timestamp = try reading.fullDate(try cbor(data.required("timestamp")))
    }
}

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
