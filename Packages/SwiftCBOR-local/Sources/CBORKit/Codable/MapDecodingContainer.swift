/// The pairs of a map for a keyed type.
///
/// Types mostly ask for keys in the order in which they were written, so the search goes on where the last one ended.
final class MapDecodingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let view: CBORView
    private let session: DecodingSession
    private let usesIntegers: Bool
    /// The entry of the first key, and the one after the last value.
    private let bounds: Range<Int>
    /// The entry of the key to look at first.
    private var hint: Int

    init(_ view: CBORView, session: DecodingSession) throws {
        self.view = view
        self.session = session
        usesIntegers = session.options.keys == .integersWhereGiven
        let children = view.tape.read { $0.children(of: view.entry) }
        bounds = children.entry..<children.end
        hint = bounds.lowerBound
        if session.options.unknownKeys == .refuse { try refuseUnknownKeys() }
    }

    var codingPath: [any CodingKey] { view.path.codingPath }

    var allKeys: [Key] { CBORMapView(view: view).compactMap { key(for: $0.key) } }

    /// The coding key for the key of a pair, if the type has one.
    private func key(for item: CBORView) -> Key? {
        if usesIntegers, let label: Int = try? item.integer(), let key = Key(intValue: label) { return key }
        return (try? item.text()).flatMap(Key.init(stringValue:))
    }

    private func refuseUnknownKeys() throws {
        for (item, _) in CBORMapView(view: view) where key(for: item) == nil {
            let name = view.tape.read { $0.step(forKey: item.entry) }
            throw DecodingError(CBORError(.unexpectedItem, "the key \(name) is not known", at: view), for: Key.self)
        }
    }

    /// The entry of a key's value.
    private func find(_ key: some CodingKey) -> Int? {
        let label = usesIntegers ? key.intValue : nil
        return view.tape.read { contents in
            let isWanted = label.map { label in { (entry: Int) in contents.isInteger(entry, equalTo: label) } }
            var text = key.stringValue
            return text.withUTF8 { utf8 in
                func search(_ range: Range<Int>) -> Int? {
                    var entry = range.lowerBound
                    while entry < range.upperBound {
                        let value = contents.next(after: entry)
                        let next = contents.next(after: value)
                        let isFound = unsafe isWanted?(entry) ?? contents.isText(entry, equalTo: utf8)
                        if isFound {
                            hint = next
                            return value
                        }
                        entry = next
                    }
                    return nil
                }
                return search(hint..<bounds.upperBound) ?? search(bounds.lowerBound..<hint)
            }
        }
    }

    private func decoder(for key: some CodingKey) throws -> ItemDecoder {
        guard let entry = find(key) else { throw DecodingError.missing(key, in: view) }
        return ItemDecoder(view: view.sibling(entry), session: session)
    }

    func contains(_ key: Key) -> Bool { find(key) != nil }
    func decodeNil(forKey key: Key) throws -> Bool { try decoder(for: key).decodeNil() }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try decoder(for: key).decode(type) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try decoder(for: key).decode(type) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try decoder(for: key).decode(type) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try decoder(for: key).decode(type) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try decoder(for: key).decode(type) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try decoder(for: key).decode(type) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try decoder(for: key).decode(type) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try decoder(for: key).decode(type) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try decoder(for: key).decode(type) }
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try decoder(for: key).decode(type) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try decoder(for: key).decode(type) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try decoder(for: key).decode(type) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try decoder(for: key).decode(type) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try decoder(for: key).decode(type) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try decoder(for: key).decode(type) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try decoder(for: key).decode(type) }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decoder(for: key).decode(type)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try decoder(for: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(for: key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try decoder(for: PathKey(stringValue: "super")) }

    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(for: key) }
}
