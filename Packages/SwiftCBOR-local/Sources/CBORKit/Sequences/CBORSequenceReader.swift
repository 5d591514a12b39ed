/// Reads the items of a CBOR sequence (RFC 8742) one after the other.
///
/// ```swift
/// var reader = CBORSequenceReader(bytes)
/// while let document = try reader.next() { handle(document) }
/// ```
public struct CBORSequenceReader: Sendable {
    /// The bytes that are not read yet.
    public private(set) var rest: ArraySlice<UInt8>
    private let options: CBORReadingOptions
    private var index = 0
    private var offset = 0

    /// A reader at the start of a sequence; the size limit of the options holds for each item.
    public init(_ bytes: ArraySlice<UInt8>, options: CBORReadingOptions = .default) {
        var itemOptions = options
        itemOptions.trailingBytes = .allow
        rest = bytes
        self.options = itemOptions
    }

    /// A reader at the start of a sequence; the size limit of the options holds for each item.
    public init(_ bytes: [UInt8], options: CBORReadingOptions = .default) {
        self.init(bytes[...], options: options)
    }

    /// The next item, or nil at the end.
    ///
    /// After an error the reader keeps its position and cannot continue, since the start of the next item is unknown.
    ///
    /// - Throws: ``CBORError`` for bytes that are not an item that the options allow; offset and path are those in the
    ///   sequence.
    public mutating func next() throws(CBORError) -> CBORDocument? {
        guard !rest.isEmpty else { return nil }
        let origin = Tape.Origin(place: .sequence(index), offset: offset)
        let document = try CBORDocument(content: rest, origin: origin, options: options)
        let length = document.encodedBytes.count
        rest = rest.dropFirst(length)
        offset += length
        index += 1
        return document
    }
}

extension CBORDocument {
    /// Reads all items of a CBOR sequence (RFC 8742); an empty one has none.
    ///
    /// - Throws: ``CBORError`` for an item that the options do not allow; offset and path are those in the sequence.
    public static func sequence(
        _ bytes: some Collection<UInt8>,
        options: CBORReadingOptions = .default
    ) throws(CBORError) -> [CBORDocument] {
        var reader = CBORSequenceReader(Array(bytes), options: options)
        var documents: [CBORDocument] = []
        while let document = try reader.next() { documents.append(document) }
        return documents
    }
}
