/// A type that reads and writes one item itself, and may be a part of Codable types.
///
/// Conforming gives a ``CBORDecodable`` and ``CBOREncodable`` type the Codable conformance that goes with them. Such a
/// type can be coded by ``CBORDecoder`` and ``CBOREncoder`` only, since what it stands for is an item of CBOR.
public protocol CBORItemCodable: CBORDecodable, CBOREncodable, Codable {}

extension CBORItemCodable {
    /// Reads the item of the decoder, which must be that of ``CBORDecoder``.
    public init(from decoder: any Decoder) throws {
        try self.init(cbor: try ItemDecoder(decoder, for: Self.self).view)
    }

    /// Writes the item to the encoder, which must be that of ``CBOREncoder``.
    public func encode(to encoder: any Encoder) throws {
        try ItemEncoder.write(self, to: encoder)
    }
}
