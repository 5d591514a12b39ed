// The types of this module that stand for one item, for use in Codable types.

extension CBOR: CBORItemCodable, SessionEncodable {
    func encoded(in session: EncodingSession, codingPath: CodingPath) -> EncodedItem { .value(self) }
}

extension CBORDateTime: CBORItemCodable {
    /// Reads a date and time under tag 0.
    public init(cbor view: CBORView) throws(CBORError) { self = try view.dateTime() }

    /// Writes the date and time under tag 0.
    public func encode(to writer: inout CBORWriter) { writer.write(.dateTime(self)) }
}

extension CBORDate: CBORItemCodable {
    /// Reads a day under tag 100 or 1004.
    public init(cbor view: CBORView) throws(CBORError) { self = try view.date() }

    /// Writes the day under tag 1004, or under tag 100 if its year does not have four digits.
    public func encode(to writer: inout CBORWriter) { writer.write(.fullDate(self) ?? .epochDate(self)) }
}

extension CBOREpochTime: CBORItemCodable {
    /// Reads seconds under tag 1.
    public init(cbor view: CBORView) throws(CBORError) { self = try view.epochTime() }

    /// Writes the seconds under tag 1.
    public func encode(to writer: inout CBORWriter) { writer.write(cbor) }
}

extension CBORBigInteger: CBORItemCodable {
    /// Reads an integer or a bignum.
    public init(cbor view: CBORView) throws(CBORError) { self = try view.bigInteger() }

    /// Writes an integer, or a bignum beyond 64 bits.
    public func encode(to writer: inout CBORWriter) { writer.write(cbor) }
}

extension CBORDecimalFraction: CBORItemCodable {
    /// Reads a number under tag 4.
    public init(cbor view: CBORView) throws(CBORError) { self = try view.decimalFraction() }

    /// Writes the number under tag 4.
    public func encode(to writer: inout CBORWriter) { writer.write(cbor) }
}

extension CBORBigfloat: CBORItemCodable {
    /// Reads a number under tag 5.
    public init(cbor view: CBORView) throws(CBORError) { self = try view.bigfloat() }

    /// Writes the number under tag 5.
    public func encode(to writer: inout CBORWriter) { writer.write(cbor) }
}

/// A type that reads and writes one item itself, and may be a part of Codable types.
///
/// Conforming gives a ``CBORDecodable`` and ``CBOREncodable`` type the Codable conformance that goes with them. Such a
/// type can be coded by ``CBORDecoder`` and ``CBOREncoder`` only, since it stands for an item of CBOR.
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
