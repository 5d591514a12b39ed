/// The container for a type that decodes itself from an object.
///
/// A class, since containers look up members in calls that cannot mutate them.
final class JSONKeyedDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let session: JSONDecodingSession
    private let object: Int
    private var lookup: JSONMemberLookup

    init(session: JSONDecodingSession, object: Int) {
        self.session = session
        self.object = object
        lookup = JSONMemberLookup(tape: session.tape, object: object)
        session.noteOpenedObject(at: object)
    }

    var codingPath: [any CodingKey] { session.codingPath(to: object) }

    /// All keys, from which dictionaries are made.
    ///
    /// Names that a dictionary would take for one, since `String` compares by canonical equivalence, end the decoding
    /// with an error.
    var allKeys: [Key] {
        var keys: [Key] = []
        var foldable: Set<String> = []
        var name = object + 1
        while name < Int(session.tape[object].next) {
            let text = session.tape.decodedString(at: name)
            let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
            if !isASCII, !foldable.insert(text).inserted { session.noteFoldedName(at: name) }
            if let key = Key(stringValue: text) { keys.append(key) }
            name = Int(session.tape[name + 1].next)
        }
        return keys
    }

    /// The item of the value of a member, if there is one.
    private func find(_ key: some CodingKey) -> Int? {
        guard let name = lookup.find(key.stringValue) else { return nil }
        session.noteAskedName(at: name)
        return name + 1
    }

    /// The item of the value of a member.
    private func value(_ key: some CodingKey) throws -> Int {
        guard let value = find(key) else {
            let error = JSONError.missingMember(key.stringValue, in: session.view(at: object))
            throw DecodingError.keyNotFound(key, session.context(of: error, at: object))
        }
        return value
    }

    func contains(_ key: Key) -> Bool { find(key) != nil }
    func decodeNil(forKey key: Key) throws -> Bool { session.isNull(at: try value(key)) }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try session.bool(at: value(key)) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try session.string(at: value(key)) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try session.floatingPoint(at: value(key)) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try session.floatingPoint(at: value(key)) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try session.integer(at: value(key)) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try session.integer(at: value(key)) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try session.integer(at: value(key)) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try session.integer(at: value(key)) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try session.integer(at: value(key)) }
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try session.integer(at: value(key)) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try session.integer(at: value(key)) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try session.integer(at: value(key)) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try session.integer(at: value(key)) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try session.integer(at: value(key)) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try session.integer(at: value(key)) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try session.integer(at: value(key)) }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try session.decode(type, at: value(key))
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try decoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try decoder(JSONCodingKey.super) }

    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

    private func decoder(_ key: some CodingKey) throws -> JSONValueDecoder {
        JSONValueDecoder(session: session, index: try value(key))
    }
}
