/// The pairs of a map for a keyed type.
///
/// A value of the expected form is read at once; what is not, such as a tagged one, is left to ``ItemDecoder``, which
/// also knows what is wrong.
struct MapDecodingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let view: CBORView
    private let session: DecodingSession
    private let usesIntegers: Bool
    /// The entry of the first key, and the one after the last value.
    private let bounds: Range<Int>
    private let number: Int

    init(_ view: CBORView, session: DecodingSession) throws {
        self.view = view
        self.session = session
        usesIntegers = session.options.keys == .integersWhereGiven
        let children = view.tape.read { $0.children(of: view.entry) }
        bounds = children.entry..<children.end
        number = session.numberForContainer()
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
    ///
    /// Types mostly ask for keys in the order in which they were written, so the search goes on where the last one ended.
    private func find(_ key: some CodingKey) -> Int? {
        let hint = session.hint(for: number) ?? bounds.lowerBound
        let found: Int?
        if usesIntegers, let label = key.intValue {
            found = find(from: hint) { $0.isInteger($1, equalTo: label) }
        } else {
            var text = key.stringValue
            found = text.withUTF8 { utf8 in
                find(from: hint) { unsafe $0.isText($1, equalTo: utf8) }
            }
        }
        if let found { session.setHint(view.tape.read { $0.next(after: found) }, for: number) }
        return found
    }

    @inline(__always)
    private func find(from hint: Int, _ isWanted: (TapeContents, Int) -> Bool) -> Int? {
        view.tape.read { contents in
            contents.value(in: hint..<bounds.upperBound) { isWanted(contents, $0) }
                ?? contents.value(in: bounds.lowerBound..<hint) { isWanted(contents, $0) }
        }
    }

    private func decoder(for key: some CodingKey) throws -> ItemDecoder {
        guard let entry = find(key) else { throw DecodingError.missing(key, in: view) }
        return ItemDecoder(view: view.sibling(entry), session: session)
    }

    /// The decoder for a value that is there and not null.
    private func decoderIfPresent(for key: Key) -> ItemDecoder? {
        guard let entry = find(key) else { return nil }
        let decoder = ItemDecoder(view: view.sibling(entry), session: session)
        return decoder.decodeNil() ? nil : decoder
    }

    @inline(__always)
    private func read<Value: Decodable>(_ key: Key, _ body: (TapeContents, Int) -> Value?) throws -> Value {
        guard let entry = find(key) else { throw DecodingError.missing(key, in: view) }
        if let value = view.tape.read({ body($0, entry) }) { return value }
        return try ItemDecoder(view: view.sibling(entry), session: session).decode(Value.self)
    }

    @inline(__always)
    private func readIfPresent<Value: Decodable>(_ key: Key, _ body: (TapeContents, Int) -> Value?) throws -> Value? {
        guard let entry = find(key) else { return nil }
        if let value = view.tape.read({ body($0, entry) }) { return value }
        return try ItemDecoder(view: view.sibling(entry), session: session).decode(Value?.self)
    }

    func contains(_ key: Key) -> Bool { find(key) != nil }
    func decodeNil(forKey key: Key) throws -> Bool { try decoder(for: key).decodeNil() }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try read(key) { $0.bool($1) } }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try read(key) { $0.text($1) } }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try read(key) { $0.double($1) } }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try decoder(for: key).decode(type) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try read(key) { $0.integer($1) } }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try read(key) { $0.integer($1) } }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try read(key) { $0.integer($1) } }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try read(key) { $0.integer($1) } }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try read(key) { $0.integer($1) } }
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try read(key) { $0.integer($1) } }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try read(key) { $0.integer($1) } }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try read(key) { $0.integer($1) } }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try read(key) { $0.integer($1) } }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try read(key) { $0.integer($1) } }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try read(key) { $0.integer($1) } }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try read(key) { $0.integer($1) } }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decoder(for: key).decode(type)
    }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        try readIfPresent(key) { $0.bool($1) }
    }

    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try readIfPresent(key) { $0.text($1) }
    }

    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        try readIfPresent(key) { $0.double($1) }
    }

    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        try readIfPresent(key) { $0.integer($1) }
    }

    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
        try readIfPresent(key) { $0.integer($1) }
    }

    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
        try readIfPresent(key) { $0.integer($1) }
    }

    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
        try readIfPresent(key) { $0.integer($1) }
    }

    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
        try readIfPresent(key) { $0.integer($1) }
    }

    func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? {
        try readIfPresent(key) { $0.integer($1) }
    }

    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
        try readIfPresent(key) { $0.integer($1) }
    }

    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
        try readIfPresent(key) { $0.integer($1) }
    }

    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
        try readIfPresent(key) { $0.integer($1) }
    }

    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
        try readIfPresent(key) { $0.integer($1) }
    }

    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
        try readIfPresent(key) { $0.integer($1) }
    }

    func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? {
        try readIfPresent(key) { $0.integer($1) }
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try decoderIfPresent(for: key)?.decode(type)
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

extension TapeContents {
    /// The entry of the value of the first wanted key in a range of whole pairs.
    @inline(__always)
    fileprivate func value(in range: Range<Int>, where isWanted: (Int) -> Bool) -> Int? {
        var key = range.lowerBound
        while key < range.upperBound {
            let value = next(after: key)
            if isWanted(key) { return value }
            key = next(after: value)
        }
        return nil
    }
}
