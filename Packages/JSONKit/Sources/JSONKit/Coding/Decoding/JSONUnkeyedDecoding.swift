/// The container for a type that decodes itself from an array.
struct JSONUnkeyedDecoding: UnkeyedDecodingContainer {
    private let session: JSONDecodingSession
    private let array: Int
    /// The item of the next element.
    private var item: Int

    private(set) var currentIndex = 0

    init(session: JSONDecodingSession, array: Int) {
        self.session = session
        self.array = array
        item = array + 1
    }

    var codingPath: [any CodingKey] { session.codingPath(to: array) }

    var count: Int? { Int(session.tape[array].count) }

    var isAtEnd: Bool { item >= Int(session.tape[array].next) }

    /// Reads the next element and stands before the one after it, unless reading throws.
    private mutating func next<Value>(
        _ type: Any.Type,
        _ read: (JSONDecodingSession, Int) throws -> Value
    ) throws -> Value {
        guard !isAtEnd else {
            let view = session.view(at: array)
            let error = JSONError(.missingElement, "no element \(currentIndex) among \(currentIndex)", at: view)
            throw DecodingError.valueNotFound(type, session.context(of: error, at: array))
        }
        let value = try read(session, item)
        item = Int(session.tape[item].next)
        currentIndex += 1
        return value
    }

    mutating func decodeNil() throws -> Bool {
        guard isAtEnd || session.isNull(at: item) else { return false }
        return try next(Never.self) { _, _ in true }
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try next(type) { try $0.bool(at: $1) } }
    mutating func decode(_ type: String.Type) throws -> String { try next(type) { try $0.string(at: $1) } }
    mutating func decode(_ type: Double.Type) throws -> Double { try next(type) { try $0.floatingPoint(at: $1) } }
    mutating func decode(_ type: Float.Type) throws -> Float { try next(type) { try $0.floatingPoint(at: $1) } }
    mutating func decode(_ type: Int.Type) throws -> Int { try next(type) { try $0.integer(at: $1) } }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try next(type) { try $0.integer(at: $1) } }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try next(type) { try $0.integer(at: $1) } }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try next(type) { try $0.integer(at: $1) } }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try next(type) { try $0.integer(at: $1) } }
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try next(type) { try $0.integer(at: $1) } }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try next(type) { try $0.integer(at: $1) } }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try next(type) { try $0.integer(at: $1) } }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try next(type) { try $0.integer(at: $1) } }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try next(type) { try $0.integer(at: $1) } }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try next(type) { try $0.integer(at: $1) } }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try next(type) { try $0.integer(at: $1) } }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try next(type) { try $0.decode(type, at: $1) }
    }

    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try next(KeyedDecodingContainer<Key>.self) {
            try JSONValueDecoder(session: $0, index: $1).container(keyedBy: type)
        }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try next((any UnkeyedDecodingContainer).self) {
            try JSONValueDecoder(session: $0, index: $1).unkeyedContainer()
        }
    }

    mutating func superDecoder() throws -> any Decoder {
        try next((any Decoder).self) { JSONValueDecoder(session: $0, index: $1) }
    }
}
