/// A value and the bytes it was read from, so that signatures and hashes cover the received bytes.
///
/// Nothing is ever encoded again: ``encodedBytes`` is the slice of the input, and writing the value writes it.
public struct EncodedCBOR<Value> {
    /// The value.
    public let value: Value
    /// The bytes of the item, its head included.
    public let encodedBytes: ArraySlice<UInt8>
}

extension EncodedCBOR: Sendable where Value: Sendable {}

extension EncodedCBOR: Equatable where Value: Equatable {}

extension EncodedCBOR: CBORDecodable where Value: CBORDecodable {
    /// Reads the value and keeps the bytes of its item.
    public init(cbor view: CBORView) throws {
        value = try Value(cbor: view)
        encodedBytes = view.encodedBytes
    }
}

extension EncodedCBOR: CBOREncodable {
    /// Writes the bytes kept.
    public func encode(to writer: inout CBORWriter) {
        writer.write(encoded: encodedBytes)
    }
}

extension EncodedCBOR where Value: CBOREncodable {
    /// Encodes a value once, and keeps the bytes.
    public init(_ value: Value) {
        self.value = value
        encodedBytes = value.cborEncoded()[...]
    }
}
