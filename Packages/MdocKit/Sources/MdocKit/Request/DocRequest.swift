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

    /// Puts a request together; see ``signed(_:sessionTranscript:with:x5chain:)`` for one that the reader signs.
    public init(_ itemsRequest: ItemsRequest, readerAuth: COSESign1? = nil) {
        self.itemsRequest = itemsRequest
        self.readerAuth = readerAuth
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
