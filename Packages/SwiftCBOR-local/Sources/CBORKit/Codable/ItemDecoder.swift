/// The `Decoder` for one item, which is its own container for single values.
struct ItemDecoder: Decoder {
    let view: CBORView
    let session: DecodingSession

    var codingPath: [any CodingKey] { view.path.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { session.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(try MapDecodingContainer<Key>(content(of: 5, as: [String: Any].self), session: session))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        ArrayDecodingContainer(try content(of: 4, as: [Any].self), session: session)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    /// The item without tags, if it has the major type; Codable types do not see tags.
    func content(of major: UInt8, as type: Any.Type) throws -> CBORView {
        let content = view.untagged()
        guard content.initialByte >> 5 == major else {
            if content.isNull { throw DecodingError.null(type, at: content) }
            let expected = major == 4 ? "array" : "map"
            throw DecodingError(.typeMismatch(expected: expected, at: content), for: type)
        }
        return content
    }
}

extension ItemDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { view.isNull }

    func decode(_ type: Bool.Type) throws -> Bool {
        try read(type) { (view) throws(CBORError) in try view.bool() }
    }

    func decode(_ type: String.Type) throws -> String {
        try read(type) { (view) throws(CBORError) in try view.text() }
    }

    func decode(_ type: Double.Type) throws -> Double {
        try read(type) { (view) throws(CBORError) in try view.number() }
    }

    func decode(_ type: Float.Type) throws -> Float {
        try read(type) { (view) throws(CBORError) in
            let number: Double = try view.number()
            let narrow = Float(number)
            guard narrow.isFinite || !number.isFinite else { throw .outOfRange("Float", at: view) }
            return narrow
        }
    }

    func decode(_ type: Int.Type) throws -> Int { try integer(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
    func decode(_ type: Int128.Type) throws -> Int128 { try integer(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try integer(type) }

    private func integer<Integer: FixedWidthInteger>(_ type: Integer.Type) throws -> Integer {
        try read(type) { (view) throws(CBORError) in try view.integer() }
    }

    /// Reads the item without its tags.
    private func read<Value>(_ type: Value.Type, _ body: (CBORView) throws(CBORError) -> Value) throws -> Value {
        do throws(CBORError) {
            return try body(view.initialByte >> 5 == 6 ? view.untagged() : view)
        } catch {
            throw view.isNull ? DecodingError.null(type, at: view) : DecodingError(error, for: type)
        }
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        switch session.treatment(of: type) {
        case .standard, .encodable, .sessionEncodable: return try Value(from: self)
        case .sessionDecodable(let coded): return try sessionDecodable(coded, as: type)
        case .decodable(let coded): return try decodable(coded, as: type)
        case .bytes(let collection): return try bytes(collection, as: type)
        case .date: return try date(type)
        }
    }
}

extension CBORView {
    /// A floating-point number, or an integer that is exact as one.
    fileprivate func number() throws(CBORError) -> Double {
        guard initialByte >> 5 < 2 else { return try double() }
        guard let number = Double(exactly: try integer(as: Int128.self)) else { throw .outOfRange("Double", at: self) }
        return number
    }
}
