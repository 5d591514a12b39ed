package import CBORKit

/// The data elements that a reader asks for from documents of one type (ISO/IEC 18013-5, 10.2.1).
///
/// A reader's signature covers the bytes as built or received, ``taggedBytes``.
public struct ItemsRequest: Sendable {
    /// The requested type of document.
    public let docType: DocType
    /// The requested elements, each with intentToRetain: whether the reader means to keep it, or anything
    /// derived from it, beyond the transaction.
    public let nameSpaces: DataElements<Bool>
    /// More conditions (second edition).
    public let requestInfo: DocRequestInfo?
    /// ItemsRequestBytes: the tag-24 item exactly as built or received.
    public let taggedBytes: ArraySlice<UInt8>

    /// Builds a request.
    ///
    /// - Throws: ``MdocError`` with code `invalidValue` if no element is asked for.
    public init(
        docType: DocType,
        nameSpaces: DataElements<Bool>,
        requestInfo: DocRequestInfo? = nil
    ) throws(MdocError) {
        guard !nameSpaces.isEmpty else {
            throw MdocError(.invalidValue, "a request must ask for at least one data element")
        }
        self.docType = docType
        self.nameSpaces = nameSpaces
        self.requestInfo = requestInfo
        let content = CBORWriter.bytes { writer in
            writer.beginMap(count: requestInfo == nil ? 2 : 3)
            writer.write(text: "docType")
            writer.write(text: docType.text)
            writer.write(text: "nameSpaces")
            writer.write(nameSpaces) { writer, intentToRetain in writer.write(bool: intentToRetain) }
            if let requestInfo {
                writer.write(text: "requestInfo")
                requestInfo.encode(to: &writer)
            }
        }
        taggedBytes = CBORWriter.embedding(content)[...]
    }
}

extension ItemsRequest: MdocReadable {
    package init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        let map = try reading.embeddedMap(view)
        docType = try reading.name(try cbor(map.required("docType")))
        nameSpaces = try reading.elements(try cbor(map.required("nameSpaces")), mayBeEmpty: false) {
            (view) throws(MdocError) in
            try cbor(view.bool())
        }
        requestInfo = try map.value(forKey: "requestInfo").map { (view) throws(MdocError) in
            try DocRequestInfo(view, &reading)
        }
        taggedBytes = view.encodedBytes
    }
}
