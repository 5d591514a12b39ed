package import CBORKit

/// The data elements that a reader asks for from documents of one type (ISO/IEC 18013-5, 10.2.1).
///
/// A reader's signature covers the bytes as built or received, ``taggedBytes``.
public struct ItemsRequest: Sendable {
    /// The requested type of document; empty where only the document request gives it.
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
    /// - Throws: ``MdocError`` with code `invalidValue` for a request that the standard forbids: an empty name, no element,
    ///   more than two statements `age_over_NN` of a driving licence (13.4.6), or conditions that are empty or have
    ///   alternatives for an element that is not requested (10.2.4).
    public init(
        docType: DocType,
        nameSpaces: DataElements<Bool>,
        requestInfo: DocRequestInfo? = nil
    ) throws(MdocError) {
        guard !docType.text.isEmpty else {
            throw MdocError(.invalidValue, "a request must name a document type")
        }
        try self.init(orUntyped: docType, nameSpaces, requestInfo)
    }

    /// Builds a request whose document type ``DocRequest/init(docType:itemsRequest:readerAuth:)`` gives.
    ///
    /// Without a type it can be neither signed nor sent: ``DeviceRequest`` refuses it.
    ///
    /// - Throws: ``MdocError`` with code `invalidValue` as ``init(docType:nameSpaces:requestInfo:)``, except for the type.
    public init(nameSpaces: DataElements<Bool>, requestInfo: DocRequestInfo? = nil) throws(MdocError) {
        try self.init(orUntyped: "", nameSpaces, requestInfo)
    }

    private init(
        orUntyped docType: DocType,
        _ nameSpaces: DataElements<Bool>,
        _ requestInfo: DocRequestInfo?
    ) throws(MdocError) {
        guard !nameSpaces.isEmpty else {
            throw MdocError(.invalidValue, "a request must ask for at least one data element")
        }
        for element in nameSpaces.references { try element.requireNames() }
        let ages = nameSpaces.references.count { AgeAttestation.isLimited($0, in: docType) }
        guard ages <= AgeAttestation.mostAnswers else {
            throw MdocError(
                .invalidValue,
                "a request must ask for at most two statements age_over_NN of a licence, not for \(ages)"
            )
        }
        try requestInfo?.requireForm(in: nameSpaces)
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

    /// Indicates that the request names a document type.
    var hasDocType: Bool { !docType.text.isEmpty }

    /// The request for documents of a type, unchanged if it names that type already.
    ///
    /// - Throws: ``MdocError`` with code `invalidValue` for an empty type, or if the request names another one.
    func forDocuments(of docType: DocType) throws(MdocError) -> ItemsRequest {
        guard hasDocType else {
            return try ItemsRequest(docType: docType, nameSpaces: nameSpaces, requestInfo: requestInfo)
        }
        guard self.docType == docType else {
            throw MdocError(.invalidValue, "the items request is for \(self.docType), not for \(docType)")
        }
        return self
    }

    /// Refuses a request without a document type.
    func requireDocType(path: [String] = []) throws(MdocError) {
        guard hasDocType else {
            throw MdocError(.invalidValue, "the items request has no document type", path: path)
        }
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
