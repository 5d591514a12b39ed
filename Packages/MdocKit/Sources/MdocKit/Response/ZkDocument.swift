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
