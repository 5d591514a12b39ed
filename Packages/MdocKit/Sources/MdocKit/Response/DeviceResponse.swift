package import CBORKit

/// A wallet's answer to a ``DeviceRequest`` (ISO/IEC 18013-5, 10.3.2).
///
/// A value of this type has been read, not verified: hand it to ``MdocVerifier``.
public struct DeviceResponse: Sendable {
    private let members: Members

    /// The version of the structure.
    public var version: MdocVersion { members.version }
    /// The documents that can be read as such.
    public var documents: [MdocDocument] { members.documents }
    /// The documents that cannot; each of them fails alone.
    public var unreadableDocuments: [UnreadableDocument] { members.unreadableDocuments }
    /// The zero-knowledge proofs about documents (second edition) that can be read as such.
    public var zkDocuments: [ZkDocument] { members.zkDocuments }
    /// The zero-knowledge proofs that cannot; each of them fails alone.
    public var unreadableZkDocuments: [UnreadableDocument] { members.unreadableZkDocuments }
    /// Documents encrypted to another party than the reader (second edition).
    public var encryptedDocuments: [EncryptedDocument] { members.encryptedDocuments }
    /// The requested document types that the wallet reports as not returned.
    public var documentErrors: [(docType: DocType, code: MdocErrorCode)] { members.documentErrors }
    /// The status of the response; documents count only with ``Status-swift.struct/ok``.
    public var status: Status { members.status }
    /// The structure as received.
    public var encodedBytes: ArraySlice<UInt8> { members.encodedBytes }
    /// The deviations from the standard that were tolerated in reading it as a whole message, and in what it came in: the
    /// messages of a session or an envelope.
    public private(set) var deviations: [MdocDeviation] = []

    /// Reads a response.
    ///
    /// - Throws: ``MdocError`` if it is not the structure, if its major version is not 1, or if a limit is passed. A
    ///   document that is malformed in itself throws nothing: see ``unreadableDocuments`` and ``unreadableZkDocuments``.
    public init(decoding bytes: some Collection<UInt8>, options: MdocReadingOptions = .strict) throws(MdocError) {
        let bytes = Array(bytes)
        (self, deviations) = try Self.read(bytes[...], options)
    }

    /// The same response with other deviations, such as those of an envelope around it besides its own.
    package func reporting(_ deviations: [MdocDeviation]) -> DeviceResponse {
        var response = self
        response.deviations = deviations
        return response
    }
}

extension DeviceResponse: MdocReadable {
    package init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        members = try Members(view, &reading)
    }
}

extension DeviceResponse {
    /// The members, on the heap: a response is handed from step to step of a verification.
    private final class Members: Sendable {
        let version: MdocVersion
        let documents: [MdocDocument]
        let unreadableDocuments: [UnreadableDocument]
        let zkDocuments: [ZkDocument]
        let unreadableZkDocuments: [UnreadableDocument]
        let encryptedDocuments: [EncryptedDocument]
        let documentErrors: [(docType: DocType, code: MdocErrorCode)]
        let status: Status
        let encodedBytes: ArraySlice<UInt8>

        private static let names = CBORMemberNames(
            "version",
            "status",
            optional: "documents",
            "zkDocuments",
            "encryptedDocuments",
            "documentErrors"
        )

        package init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
            let members = try cbor(view.members(Self.names))
            version = try MdocVersion(members.required(0), &reading)
            status = Status(rawValue: try cbor(members.required(1).integer()))
            let limit = reading.options.limits.documents
            (documents, unreadableDocuments) = try DeviceResponse.documents(members[2], "documents", &reading) {
                (view, index, reading) throws(MdocError) in
                try MdocDocument(view, index: index, &reading)
            }
            (zkDocuments, unreadableZkDocuments) = try DeviceResponse.documents(members[3], "zkDocuments", &reading) {
                (view, _, reading) throws(MdocError) in
                try ZkDocument(view, &reading)
            }
            encryptedDocuments = try reading.optionalList(members[4], limit: limit, of: "encryptedDocuments")
            documentErrors = try DeviceResponse.documentErrors(members[5], &reading)
            encodedBytes = view.encodedBytes
        }
    }

    /// The members of a list that can be read, and the others; an empty list counts as an absent one if tolerated.
    private static func documents<Document>(
        _ view: CBORView?,
        _ name: String,
        _ reading: inout Reading,
        _ read: (CBORView, Int, inout Reading) throws(MdocError) -> Document
    ) throws(MdocError) -> (readable: [Document], unreadable: [UnreadableDocument]) {
        guard let view else { return ([], []) }
        let views = try cbor(view.array())
        try reading.check(views.count, limit: reading.options.limits.documents, name, at: view)
        if views.count == 0 { try reading.tolerate(.emptyMember, at: view) }
        var readable: [Document] = []
        var unreadable: [UnreadableDocument] = []
        for (index, view) in views.enumerated() {
            do throws(MdocError) {
                readable.append(try read(view, index, &reading))
            } catch {
                unreadable.append(UnreadableDocument(view, index: index, error))
            }
        }
        return (readable, unreadable)
    }

    private static func documentErrors(
        _ view: CBORView?,
        _ reading: inout Reading
    ) throws(MdocError) -> [(docType: DocType, code: MdocErrorCode)] {
        guard let view else { return [] }
        let limit = reading.options.limits.documents
        let maps = try cbor(view.array())
        try reading.check(maps.count, limit: limit, "documentErrors", at: view)
        if maps.count == 0 { try reading.tolerate(.emptyMember, at: view) }
        var errors: [(docType: DocType, code: MdocErrorCode)] = []
        for map in maps {
            let members = try cbor(map.map())
            try reading.check(errors.count + members.count, limit: limit, "documentErrors", at: view)
            for (docType, code) in members {
                errors.append((try reading.name(docType), MdocErrorCode(rawValue: try cbor(code.integer()))))
            }
        }
        return errors
    }
}
