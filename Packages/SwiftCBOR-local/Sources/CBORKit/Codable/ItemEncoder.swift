/// The `Encoder` for one value, which is its own container for single values.
final class ItemEncoder: Encoder {
    let session: EncodingSession
    let path: CodingPath
    /// The written item, or nil.
    private(set) var item: EncodedItem?

    init(session: EncodingSession, path: CodingPath) {
        self.session = session
        self.path = path
    }

    var codingPath: [any CodingKey] { path.keys }
    var userInfo: [CodingUserInfoKey: Any] { session.options.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        // A second container of the same kind goes on with the first, as a subclass without an encoder of its own does.
        if case .map(let node) = item {
            return KeyedEncodingContainer(MapEncodingContainer(node: node, session: session, path: path))
        }
        let node = EncodedItem.MapNode()
        item = .map(node)
        return KeyedEncodingContainer(MapEncodingContainer(node: node, session: session, path: path))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if case .array(let node) = item { return ArrayEncodingContainer(node: node, session: session, path: path) }
        let node = EncodedItem.ArrayNode()
        item = .array(node)
        return ArrayEncodingContainer(node: node, session: session, path: path)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension ItemEncoder: SingleValueEncodingContainer {
    func encodeNil() { item = .value(.null) }
    func encode(_ value: Bool) { item = .value(.bool(value)) }
    func encode(_ value: String) { item = .value(.text(value)) }
    func encode(_ value: Double) { item = .value(.double(value)) }
    func encode(_ value: Float) { item = .value(.double(Double(value))) }
    func encode(_ value: Int) { item = .value(.integer(value)) }
    func encode(_ value: Int8) { item = .value(.integer(value)) }
    func encode(_ value: Int16) { item = .value(.integer(value)) }
    func encode(_ value: Int32) { item = .value(.integer(value)) }
    func encode(_ value: Int64) { item = .value(.integer(value)) }
    func encode(_ value: Int128) { item = .value(.integer(value)) }
    func encode(_ value: UInt) { item = .value(.integer(value)) }
    func encode(_ value: UInt8) { item = .value(.integer(value)) }
    func encode(_ value: UInt16) { item = .value(.integer(value)) }
    func encode(_ value: UInt32) { item = .value(.integer(value)) }
    func encode(_ value: UInt64) { item = .value(.integer(value)) }
    func encode(_ value: UInt128) { item = .value(.integer(value)) }
    func encode(_ value: some Encodable) throws { item = try session.encode(value, codingPath: path) }
}
