package import CBORKit

/// The relation between the document requests of a request (ISO/IEC 18013-5 second edition, 10.2.6).
public struct DeviceRequestInfo: Sendable {
    /// The purposes of the request.
    public let useCases: [UseCase]
    /// DeviceRequestInfoBytes: the tag-24 item exactly as built or received.
    public let taggedBytes: ArraySlice<UInt8>

    /// Builds the structure.
    ///
    /// - Throws: ``MdocError`` with code `invalidValue` if there is no use case, one without a document set, or a set without a
    ///   document.
    public init(useCases: [UseCase]) throws(MdocError) {
        guard !useCases.isEmpty, useCases.allSatisfy({ !$0.documentSets.isEmpty && !$0.documentSets.contains([]) })
        else {
            throw MdocError(.invalidValue, "there must be a use case, and each must have document sets of documents")
        }
        self.useCases = useCases
        let content = CBORWriter.bytes { writer in
            writer.beginMap(count: 1)
            writer.write(text: "useCases")
            writer.beginArray(count: useCases.count)
            for useCase in useCases { useCase.encode(to: &writer) }
        }
        taggedBytes = CBORWriter.embedding(content)[...]
    }

    /// The largest index of a document request that a use case refers to.
    var largestIndex: Int? {
        useCases.flatMap { $0.documentSets.flatMap { $0 } }.max()
    }
}

extension DeviceRequestInfo: MdocReadable {
    package init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        let map = try reading.embeddedMap(view)
        if map.count == 0 { try reading.tolerate(.emptyMember, at: view) }
        useCases = try reading.optionalList(
            map.value(forKey: "useCases"),
            limit: reading.options.limits.documents,
            of: "useCases"
        )
        taggedBytes = view.encodedBytes
    }
}
