/// A type that can be read from an item of a document.
public protocol CBORDecodable {
    /// Reads a value from an item.
    ///
    /// - Throws: ``CBORError``, or an error of the type's own, if the item does not have the form of the type.
    init(cbor view: CBORView) throws
}
