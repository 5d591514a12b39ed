/// Writes the elements of an array for an unkeyed type.
struct ArrayEncodingContainer: UnkeyedEncodingContainer {
    let node: EncodedItem.ArrayNode
    let session: EncodingSession
    let path: CodingPath

    var codingPath: [any CodingKey] { path.keys }
    var count: Int { node.items.count }

    private var elementPath: CodingPath { path.appending(PathKey(index: count)) }

    private func append(_ value: CBOR) { node.items.append(.value(value)) }

    func encodeNil() { append(.null) }
    func encode(_ value: Bool) { append(.bool(value)) }
    func encode(_ value: String) { append(.text(value)) }
    func encode(_ value: Double) { append(.double(value)) }
    func encode(_ value: Float) { append(.double(Double(value))) }
    func encode(_ value: Int) { append(.integer(value)) }
    func encode(_ value: Int8) { append(.integer(value)) }
    func encode(_ value: Int16) { append(.integer(value)) }
    func encode(_ value: Int32) { append(.integer(value)) }
    func encode(_ value: Int64) { append(.integer(value)) }
    func encode(_ value: Int128) { append(.integer(value)) }
    func encode(_ value: UInt) { append(.integer(value)) }
    func encode(_ value: UInt8) { append(.integer(value)) }
    func encode(_ value: UInt16) { append(.integer(value)) }
    func encode(_ value: UInt32) { append(.integer(value)) }
    func encode(_ value: UInt64) { append(.integer(value)) }
    func encode(_ value: UInt128) { append(.integer(value)) }

    func encode(_ value: some Encodable) throws {
        node.items.append(try session.encode(value, codingPath: elementPath))
    }

    func nestedContainer<NestedKey: CodingKey>(keyedBy keyType: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
        let nested = EncodedItem.MapNode()
        let container = MapEncodingContainer<NestedKey>(node: nested, session: session, path: elementPath)
        node.items.append(.map(nested))
        return KeyedEncodingContainer(container)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        let nested = EncodedItem.ArrayNode()
        let container = ArrayEncodingContainer(node: nested, session: session, path: elementPath)
        node.items.append(.array(nested))
        return container
    }

    func superEncoder() -> any Encoder {
        let encoder = ItemEncoder(session: session, path: elementPath)
        node.items.append(.deferred(encoder))
        return encoder
    }
}
