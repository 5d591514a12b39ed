public import CBORKit

/// The relation between the document requests of a request (ISO/IEC 18013-5 second edition, 10.2.6).
public struct DeviceRequestInfo: Sendable {
    /// The purposes of the request.
    public let useCases: [UseCase]
    /// The members that the standard leaves to applications, by their names, in the order in which they were read or added.
    public let extensions: CBORMap
    /// DeviceRequestInfoBytes: the tag-24 item exactly as built or received.
    public let taggedBytes: ArraySlice<UInt8>

    /// Builds the structure.
    ///
    /// - Throws: ``MdocError`` with code `invalidValue` if there is neither a use case nor an extension, for a use case without
    ///   a document set, a set without a document, and a key of an extension that is no text, that occurs twice, or that is a
    ///   name of the standard.
    public init(useCases: [UseCase], extensions: CBORMap = [:]) throws(MdocError) {
        guard !useCases.isEmpty || !extensions.isEmpty,
            useCases.allSatisfy({ !$0.documentSets.isEmpty && !$0.documentSets.contains([]) })
        else {
            throw MdocError(.invalidValue, "there must be a use case, and each must have document sets of documents")
        }
        try extensions.requireExtensions(besides: Self.names, path: ["deviceRequestInfo"])
        self.useCases = useCases
        self.extensions = extensions
        let content = CBORWriter.bytes { writer in
            writer.beginMap(count: (useCases.isEmpty ? 0 : 1) + extensions.count)
            if !useCases.isEmpty {
                writer.write(text: "useCases")
                writer.beginArray(count: useCases.count)
                for useCase in useCases { useCase.encode(to: &writer) }
            }
            writer.write(extensions: extensions)
        }
        taggedBytes = CBORWriter.embedding(content)[...]
    }

    /// The members that the standard defines.
    private static let names: Set<String> = ["useCases"]

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
        extensions = CBORMap(extensionsOf: map, besides: Self.names)
        taggedBytes = view.encodedBytes
    }
}
