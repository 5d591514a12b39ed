/// The container for a type that encodes itself as an object.
struct JSONKeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: JSONNodeEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    private func append(_ value: JSONValue, _ key: Key) {
        encoder.node.append(.value(value), name: key.stringValue)
    }

    mutating func encodeNil(forKey key: Key) { append(.null, key) }
    mutating func encode(_ value: Bool, forKey key: Key) { append(.bool(value), key) }
    mutating func encode(_ value: String, forKey key: Key) { append(.string(value), key) }

    mutating func encode(_ value: Double, forKey key: Key) throws {
        encoder.node.append(try encoder.nested(key).floatingPoint(value), name: key.stringValue)
    }

    mutating func encode(_ value: Float, forKey key: Key) throws {
        encoder.node.append(try encoder.nested(key).floatingPoint(value), name: key.stringValue)
    }

    mutating func encode(_ value: Int, forKey key: Key) { append(.integer(value), key) }
    mutating func encode(_ value: Int8, forKey key: Key) { append(.integer(value), key) }
    mutating func encode(_ value: Int16, forKey key: Key) { append(.integer(value), key) }
    mutating func encode(_ value: Int32, forKey key: Key) { append(.integer(value), key) }
    mutating func encode(_ value: Int64, forKey key: Key) { append(.integer(value), key) }
    mutating func encode(_ value: Int128, forKey key: Key) { append(.integer(value), key) }
    mutating func encode(_ value: UInt, forKey key: Key) { append(.integer(value), key) }
    mutating func encode(_ value: UInt8, forKey key: Key) { append(.integer(value), key) }
    mutating func encode(_ value: UInt16, forKey key: Key) { append(.integer(value), key) }
    mutating func encode(_ value: UInt32, forKey key: Key) { append(.integer(value), key) }
    mutating func encode(_ value: UInt64, forKey key: Key) { append(.integer(value), key) }
    mutating func encode(_ value: UInt128, forKey key: Key) { append(.integer(value), key) }

    mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        encoder.node.append(try encoder.encode(value, key), name: key.stringValue)
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        inner(key).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        inner(key).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { inner(JSONCodingKey.super) }

    mutating func superEncoder(forKey key: Key) -> any Encoder { inner(key) }

    /// The encoder of a member that is filled in later.
    private func inner(_ key: some CodingKey) -> JSONNodeEncoder {
        let inner = encoder.nested(key)
        encoder.node.append(.node(inner.node), name: key.stringValue)
        return inner
    }
}
