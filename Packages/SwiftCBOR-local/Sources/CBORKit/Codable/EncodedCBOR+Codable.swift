// Values with their bytes in Codable types: the value is decoded with the options of the decoder.

extension EncodedCBOR: Decodable, SessionDecodable where Value: Decodable {
    init(decoding decoder: ItemDecoder) throws {
        self.init(value: try decoder.decode(Value.self), encodedBytes: decoder.view.encodedBytes)
    }

    /// Decodes the value and keeps its bytes; ``CBORDecoder`` alone can do it.
    public init(from decoder: any Decoder) throws {
        try self.init(decoding: try ItemDecoder(decoder, for: Self.self))
    }
}

extension EncodedCBOR: Encodable {
    /// Encodes the bytes kept; ``CBOREncoder`` alone can do it.
    public func encode(to encoder: any Encoder) throws { try ItemEncoder.write(self, to: encoder) }
}

extension EmbeddedCBOR: Decodable, SessionDecodable where Value: Decodable {
    init(decoding decoder: ItemDecoder) throws {
        let view = decoder.view
        let document: CBORDocument
        do throws(CBORError) {
            document = try view.content(ofTag: CBORTag.encodedItem).embedded(
                options: decoder.session.options.readingOptions
            )
        } catch {
            throw DecodingError(error, for: Self.self)
        }
        let value = try ItemDecoder(view: document.root, session: decoder.session).decode(Value.self)
        self.init(value: value, taggedBytes: view.encodedBytes, contentBytes: document.encodedBytes)
    }

    /// Decodes the value under tag 24 and keeps its bytes; ``CBORDecoder`` alone can do it.
    public init(from decoder: any Decoder) throws {
        try self.init(decoding: try ItemDecoder(decoder, for: Self.self))
    }
}

extension EmbeddedCBOR: Encodable {
    /// Encodes the bytes kept; ``CBOREncoder`` alone can do it.
    public func encode(to encoder: any Encoder) throws { try ItemEncoder.write(self, to: encoder) }
}

extension CBOREncoder {
    /// Encodes a value once and keeps the bytes beside it.
    ///
    /// - Throws: As ``encode(_:)``.
    public func encoded<Value: Encodable>(_ value: Value) throws -> EncodedCBOR<Value> {
        EncodedCBOR(value: value, encodedBytes: try encode(value)[...])
    }

    /// Encodes a value once, in a byte string under tag 24, and keeps the bytes beside it.
    ///
    /// - Throws: As ``encode(_:)``.
    public func embedded<Value: Encodable>(_ value: Value) throws -> EmbeddedCBOR<Value> {
        EmbeddedCBOR(value: value, contentBytes: try encode(value))
    }
}
