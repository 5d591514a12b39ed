package import CBORKit
public import COSEKit

/// One part of a ``DeviceRequest``: the requested elements, and the reader's signature over them (ISO/IEC 18013-5,
/// 10.2.1).
public struct DocRequest: Sendable {
    /// The items request.
    public let itemsRequest: ItemsRequest
    /// The reader's signature, not verified: see ``ReaderAuthenticationVerifier``.
    public let readerAuth: COSESign1?
    /// The deviations from the standard that were tolerated in reading it.
    public private(set) var deviations: [MdocDeviation] = []

    /// The requested type of document, which the items request carries.
    public var docType: DocType { itemsRequest.docType }

    /// Puts a request together; see ``signed(_:sessionTranscript:with:x5chain:)`` for one that the reader signs.
    public init(_ itemsRequest: ItemsRequest, readerAuth: COSESign1? = nil) {
        self.itemsRequest = itemsRequest
        self.readerAuth = readerAuth
    }

    /// Puts a request for a type of document together.
    ///
    /// ```swift
    /// let items = try ItemsRequest(nameSpaces: ["org.iso.18013.5.1": ["family_name": false]])
    /// let docRequest = try DocRequest(docType: "org.iso.18013.5.1.mDL", itemsRequest: items, readerAuth: nil)
    /// ```
    ///
    /// - Parameters:
    ///   - docType: The type of document, for an items request made without one.
    ///   - itemsRequest: The items request: ``ItemsRequest/init(nameSpaces:requestInfo:)``, or one of the same type.
    ///   - readerAuth: The reader's signature over an items request that had its type when it was signed.
    /// - Throws: ``MdocError`` with code `invalidValue` for an empty type, for an items request of another type, or for
    ///   a signature over an items request that had no type yet.
    public init(docType: DocType, itemsRequest: ItemsRequest, readerAuth: COSESign1? = nil) throws(MdocError) {
        guard itemsRequest.hasDocType || readerAuth == nil else {
            throw MdocError(.invalidValue, "a reader's signature covers the document type, which was missing")
        }
        self.init(try itemsRequest.forDocuments(of: docType), readerAuth: readerAuth)
    }
}

extension DocRequest: MdocReadable {
    package init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        let before = reading.beginPart()
        let map = try cbor(view.map())
        itemsRequest = try ItemsRequest(try cbor(map.required("itemsRequest")), &reading)
        readerAuth = try map.value(forKey: "readerAuth").map { (view) throws(MdocError) in
            try reading.readerAuth(view)
        }
        deviations = Array(reading.deviations.dropFirst(before))
    }

    /// Writes the structure.
    func encode(to writer: inout CBORWriter) {
        writer.beginMap(count: readerAuth == nil ? 1 : 2)
        writer.write(text: "itemsRequest")
        writer.write(encoded: itemsRequest.taggedBytes)
        if let readerAuth {
            writer.write(text: "readerAuth")
            writer.write(encoded: readerAuth.encoded(tagged: false))
        }
    }
}
