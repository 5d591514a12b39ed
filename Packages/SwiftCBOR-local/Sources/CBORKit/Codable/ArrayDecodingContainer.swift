/// The elements of an array for an unkeyed type.
struct ArrayDecodingContainer: UnkeyedDecodingContainer {
    private let view: CBORView
    private let session: DecodingSession
    private var items: ItemIterator
    private(set) var currentIndex = 0

    init(_ view: CBORView, session: DecodingSession) {
        self.view = view
        self.session = session
        items = ItemIterator(within: view)
    }

    var codingPath: [any CodingKey] { view.path.codingPath }
    var count: Int? { CBORArrayView(view: view).count }
    var isAtEnd: Bool { items.isAtEnd }

    /// Lets the next element be decoded and moves on if that works.
    private mutating func decodeNext<Value>(_ type: Any.Type, _ body: (ItemDecoder) throws -> Value) throws -> Value {
        var following = items
        guard let element = following.next() else { throw DecodingError.end(type, of: view, at: currentIndex) }
        let value = try body(ItemDecoder(view: element, session: session))
        items = following
        currentIndex += 1
        return value
    }

    mutating func decodeNil() throws -> Bool {
        var following = items
        guard let element = following.next() else { throw DecodingError.end(Any?.self, of: view, at: currentIndex) }
        guard element.isNull else { return false }
        items = following
        currentIndex += 1
        return true
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try decodeNext(type) { try $0.decode(type) } }
    mutating func decode(_ type: String.Type) throws -> String { try decodeNext(type) { try $0.decode(type) } }
    mutating func decode(_ type: Double.Type) throws -> Double { try decodeNext(type) { try $0.decode(type) } }
    mutating func decode(_ type: Float.Type) throws -> Float { try decodeNext(type) { try $0.decode(type) } }
    mutating func decode(_ type: Int.Type) throws -> Int { try decodeNext(type) { try $0.decode(type) } }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try decodeNext(type) { try $0.decode(type) } }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try decodeNext(type) { try $0.decode(type) } }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try decodeNext(type) { try $0.decode(type) } }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try decodeNext(type) { try $0.decode(type) } }
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try decodeNext(type) { try $0.decode(type) } }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try decodeNext(type) { try $0.decode(type) } }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try decodeNext(type) { try $0.decode(type) } }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try decodeNext(type) { try $0.decode(type) } }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try decodeNext(type) { try $0.decode(type) } }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try decodeNext(type) { try $0.decode(type) } }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try decodeNext(type) { try $0.decode(type) } }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try decodeNext(type) { try $0.decode(type) }
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try decodeNext([String: Any].self) { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try decodeNext([Any].self) { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder {
        try decodeNext((any Decoder).self) { $0 }
    }
}
