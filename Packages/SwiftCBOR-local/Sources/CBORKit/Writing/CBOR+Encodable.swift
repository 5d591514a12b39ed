extension CBOR {
    /// Writes the value in preferred serialization.
    public func encode(to writer: inout CBORWriter) {
        writer.write(self)
    }
}

extension CBORView: CBOREncodable {
    /// Writes the item as received.
    public func encode(to writer: inout CBORWriter) {
        writer.write(encoded: encodedBytes)
    }
}
