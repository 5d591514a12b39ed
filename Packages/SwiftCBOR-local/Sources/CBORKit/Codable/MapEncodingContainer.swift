/// Writes the pairs of a map for a keyed type.
struct MapEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: EncodedItem.MapNode
    let session: EncodingSession
    let path: CodingPath

    var codingPath: [any CodingKey] { path.keys }

    private func append(_ item: EncodedItem, forKey key: some CodingKey) {
        node.pairs.append((session.key(for: key), item))
    }

    func encodeNil(forKey key: Key) { append(.value(.null), forKey: key) }
    func encode(_ value: Bool, forKey key: Key) { append(.value(.bool(value)), forKey: key) }
    func encode(_ value: String, forKey key: Key) { append(.value(.text(value)), forKey: key) }
    func encode(_ value: Double, forKey key: Key) { append(.value(.double(value)), forKey: key) }
    func encode(_ value: Float, forKey key: Key) { append(.value(.double(Double(value))), forKey: key) }
    func encode(_ value: Int, forKey key: Key) { append(.value(.integer(value)), forKey: key) }
    func encode(_ value: Int8, forKey key: Key) { append(.value(.integer(value)), forKey: key) }
    func encode(_ value: Int16, forKey key: Key) { append(.value(.integer(value)), forKey: key) }
    func encode(_ value: Int32, forKey key: Key) { append(.value(.integer(value)), forKey: key) }
    func encode(_ value: Int64, forKey key: Key) { append(.value(.integer(value)), forKey: key) }
    func encode(_ value: Int128, forKey key: Key) { append(.value(.integer(value)), forKey: key) }
    func encode(_ value: UInt, forKey key: Key) { append(.value(.integer(value)), forKey: key) }
    func encode(_ value: UInt8, forKey key: Key) { append(.value(.integer(value)), forKey: key) }
    func encode(_ value: UInt16, forKey key: Key) { append(.value(.integer(value)), forKey: key) }
    func encode(_ value: UInt32, forKey key: Key) { append(.value(.integer(value)), forKey: key) }
    func encode(_ value: UInt64, forKey key: Key) { append(.value(.integer(value)), forKey: key) }
    func encode(_ value: UInt128, forKey key: Key) { append(.value(.integer(value)), forKey: key) }

    func encode(_ value: some Encodable, forKey key: Key) throws {
        append(try session.encode(value, codingPath: path.appending(key)), forKey: key)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        let nested = EncodedItem.MapNode()
        append(.map(nested), forKey: key)
        return KeyedEncodingContainer(
            MapEncodingContainer<NestedKey>(node: nested, session: session, path: path.appending(key))
        )
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        let nested = EncodedItem.ArrayNode()
        append(.array(nested), forKey: key)
        return ArrayEncodingContainer(node: nested, session: session, path: path.appending(key))
    }

    func superEncoder() -> any Encoder { superEncoder(forKey: PathKey(stringValue: "super")) }

    func superEncoder(forKey key: Key) -> any Encoder { superEncoder(forKey: key as any CodingKey) }

    private func superEncoder(forKey key: any CodingKey) -> any Encoder {
        let encoder = ItemEncoder(session: session, path: path.appending(key))
        append(.deferred(encoder), forKey: key)
        return encoder
    }
}
