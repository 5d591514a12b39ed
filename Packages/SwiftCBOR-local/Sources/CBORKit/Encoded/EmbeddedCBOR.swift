/// A value in a byte string under tag 24, with the bytes it was read from (RFC 8949 section 3.4.5.1).
///
/// Standards that sign or hash such items differ in whether the tag and the head of the byte string count: both forms
/// are here, as received.
public struct EmbeddedCBOR<Value> {
    /// The value.
    public let value: Value
    /// The bytes of the whole item: tag 24, the head of the byte string, and the content.
    public let taggedBytes: ArraySlice<UInt8>
    /// The bytes of the item within the byte string.
    public let contentBytes: ArraySlice<UInt8>
}

extension EmbeddedCBOR: Sendable where Value: Sendable {}

extension EmbeddedCBOR: Equatable where Value: Equatable {}

extension EmbeddedCBOR: CBORDecodable where Value: CBORDecodable {
    /// Reads the value within tag 24 and keeps the bytes, with the default reading options.
    public init(cbor view: CBORView) throws {
        try self.init(cbor: view, options: .default)
    }

    /// Reads the value within tag 24 and keeps the bytes.
    public init(cbor view: CBORView, options: CBORReadingOptions) throws {
        let document = try view.content(ofTag: 24).embedded(options: options)
        value = try Value(cbor: document.root)
        taggedBytes = view.encodedBytes
        contentBytes = document.encodedBytes
    }
}

extension EmbeddedCBOR: CBOREncodable {
    /// Writes the bytes kept.
    public func encode(to writer: inout CBORWriter) {
        writer.write(encoded: taggedBytes)
    }
}

extension EmbeddedCBOR where Value: CBOREncodable {
    /// Encodes a value once, and keeps the bytes.
    public init(_ value: Value) {
        self.init(value: value, contentBytes: value.cborEncoded())
    }
}

extension EmbeddedCBOR {
    /// A value with its encoding, which is put under tag 24.
    init(value: Value, contentBytes content: [UInt8]) {
        var writer = CBORWriter(capacity: content.count + 16)
        writer.write(embedded: content)
        let tagged = writer.finish()
        self.init(value: value, taggedBytes: tagged[...], contentBytes: tagged.suffix(content.count))
    }
}
