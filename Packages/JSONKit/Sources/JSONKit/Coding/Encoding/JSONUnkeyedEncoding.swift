/// The container for a type that encodes itself as an array.
struct JSONUnkeyedEncoding: UnkeyedEncodingContainer {
    let encoder: JSONNodeEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    var count: Int { encoder.node.count }

    private var nested: JSONNodeEncoder { encoder.nested(JSONCodingKey(intValue: count)) }

    private func append(_ value: JSONValue) {
        encoder.node.append(.value(value))
    }

    mutating func encodeNil() { append(.null) }
    mutating func encode(_ value: Bool) { append(.bool(value)) }
    mutating func encode(_ value: String) { append(.string(value)) }
    mutating func encode(_ value: Double) throws { encoder.node.append(try nested.floatingPoint(value)) }
    mutating func encode(_ value: Float) throws { encoder.node.append(try nested.floatingPoint(value)) }
    mutating func encode(_ value: Int) { append(.integer(value)) }
    mutating func encode(_ value: Int8) { append(.integer(value)) }
    mutating func encode(_ value: Int16) { append(.integer(value)) }
    mutating func encode(_ value: Int32) { append(.integer(value)) }
    mutating func encode(_ value: Int64) { append(.integer(value)) }
    mutating func encode(_ value: Int128) { append(.integer(value)) }
    mutating func encode(_ value: UInt) { append(.integer(value)) }
    mutating func encode(_ value: UInt8) { append(.integer(value)) }
    mutating func encode(_ value: UInt16) { append(.integer(value)) }
    mutating func encode(_ value: UInt32) { append(.integer(value)) }
    mutating func encode(_ value: UInt64) { append(.integer(value)) }
    mutating func encode(_ value: UInt128) { append(.integer(value)) }

    mutating func encode<Value: Encodable>(_ value: Value) throws {
        encoder.node.append(try encoder.encode(value, JSONCodingKey(intValue: count)))
    }

    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        inner().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { inner().unkeyedContainer() }

    mutating func superEncoder() -> any Encoder { inner() }

    /// The encoder of an element that is filled in later.
    private func inner() -> JSONNodeEncoder {
        let inner = nested
        encoder.node.append(.node(inner.node))
        return inner
    }
}
