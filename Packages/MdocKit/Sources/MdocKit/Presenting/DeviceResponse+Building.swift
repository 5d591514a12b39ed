import CBORKit

extension DeviceResponse {
    /// Builds a response with documents.
    ///
    /// - Parameters:
    ///   - documents: The documents, see ``PreparedMdocDocument``; none if the holder shares nothing.
    ///   - zkDocuments: Zero-knowledge proofs in place of documents, for readers whose request has their system (second edition).
    ///   - documentErrors: The requested document types that are not returned, to report them to the reader.
    public init(
        documents: [MdocDocument],
        zkDocuments: [ZkDocument] = [],
        documentErrors: [(docType: DocType, code: MdocErrorCode)] = []
    ) throws(MdocError) {
        try self.init(status: .ok, documents, zkDocuments, documentErrors)
    }

    /// Builds a response that says how processing failed; it holds no document.
    ///
    /// - Throws: ``MdocError`` with code `invalidValue` for ``Status-swift.struct/ok``, and for
    ///   ``Status-swift.struct/cancelled``, which is a status of the session.
    public init(failure status: Status) throws(MdocError) {
        guard status != .ok else {
            throw MdocError(.invalidValue, "status 0 is no failure")
        }
        guard status != .cancelled else {
            throw MdocError(.invalidValue, "status 20 ends the session, and is no status of a response")
        }
        try self.init(status: status, [], [], [])
    }

    private init(
        status: Status,
        _ documents: [MdocDocument],
        _ zkDocuments: [ZkDocument],
        _ documentErrors: [(docType: DocType, code: MdocErrorCode)]
    ) throws(MdocError) {
        let encoded = CBORWriter.bytes { writer in
            writer.beginMap(count: 2 + [documents.isEmpty, zkDocuments.isEmpty, documentErrors.isEmpty].count { !$0 })
            writer.write(text: "version")
            writer.write(text: MdocVersion.v1_0.description)
            if !documents.isEmpty {
                writer.write(text: "documents")
                writer.beginArray(count: documents.count)
                for document in documents { writer.write(encoded: document.encodedBytes) }
            }
            if !zkDocuments.isEmpty {
                writer.write(text: "zkDocuments")
                writer.beginArray(count: zkDocuments.count)
                for document in zkDocuments { writer.write(encoded: document.encodedBytes) }
            }
            if !documentErrors.isEmpty {
                writer.write(text: "documentErrors")
                writer.beginArray(count: documentErrors.count)
                for (docType, code) in documentErrors {
                    writer.beginMap(count: 1)
                    writer.write(text: docType.text)
                    writer.write(integer: code.rawValue)
                }
            }
            writer.write(text: "status")
            writer.write(unsigned: status.rawValue)
        }
        try self.init(decoding: encoded, options: .building)
    }
}

extension MdocDocument {
    /// Reads back a document that was just built.
    static func built(_ encoded: [UInt8]) throws(MdocError) -> MdocDocument {
        var reading = Reading(.building)
        return try MdocDocument(try reading.message(encoded[...]), index: 0, &reading)
    }
}
