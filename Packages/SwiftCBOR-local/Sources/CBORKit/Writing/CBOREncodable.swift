/// A type that can be written as one item.
public protocol CBOREncodable {
    /// Writes the value as exactly one item.
    func encode(to writer: inout CBORWriter)
}

extension CBOREncodable {
    /// The value as the bytes of one item.
    public func cborEncoded() -> [UInt8] {
        var writer = CBORWriter()
        encode(to: &writer)
        return writer.finish()
    }
}
