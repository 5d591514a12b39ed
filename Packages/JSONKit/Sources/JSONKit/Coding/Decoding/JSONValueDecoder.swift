/// The decoder for a type that decodes itself from a value.
struct JSONValueDecoder: Decoder {
    let session: JSONDecodingSession
    let index: Int

    var view: JSONView { session.view(at: index) }

    var codingPath: [any CodingKey] { session.codingPath(to: index) }

    var userInfo: [CodingUserInfoKey: Any] { session.decoder.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        _ = try session.read([String: any Decodable].self, at: index) { view throws(JSONError) in try view.object() }
        return KeyedDecodingContainer(JSONKeyedDecoding(session: session, object: index))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        _ = try session.read([any Decodable].self, at: index) { view throws(JSONError) in try view.array() }
        return JSONUnkeyedDecoding(session: session, array: index)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension JSONValueDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { session.isNull(at: index) }
    func decode(_ type: Bool.Type) throws -> Bool { try session.bool(at: index) }
    func decode(_ type: String.Type) throws -> String { try session.string(at: index) }
    func decode(_ type: Double.Type) throws -> Double { try session.floatingPoint(at: index) }
    func decode(_ type: Float.Type) throws -> Float { try session.floatingPoint(at: index) }
    func decode(_ type: Int.Type) throws -> Int { try session.integer(at: index) }
    func decode(_ type: Int8.Type) throws -> Int8 { try session.integer(at: index) }
    func decode(_ type: Int16.Type) throws -> Int16 { try session.integer(at: index) }
    func decode(_ type: Int32.Type) throws -> Int32 { try session.integer(at: index) }
    func decode(_ type: Int64.Type) throws -> Int64 { try session.integer(at: index) }
    func decode(_ type: Int128.Type) throws -> Int128 { try session.integer(at: index) }
    func decode(_ type: UInt.Type) throws -> UInt { try session.integer(at: index) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try session.integer(at: index) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try session.integer(at: index) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try session.integer(at: index) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try session.integer(at: index) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try session.integer(at: index) }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try session.decode(type, at: index) }
}
