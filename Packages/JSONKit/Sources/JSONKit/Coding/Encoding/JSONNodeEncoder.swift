/// The encoder for a type that encodes itself.
struct JSONNodeEncoder: Encoder {
    /// A step of the coding path, with the steps before it.
    indirect enum Place {
        case root
        case inside(Place, key: any CodingKey)

        var codingPath: [any CodingKey] {
            var keys: [any CodingKey] = []
            var place = self
            while case .inside(let outer, let key) = place {
                keys.append(key)
                place = outer
            }
            return keys.reversed()
        }
    }

    let options: StrictJSONEncoder
    var node = JSONEncodingNode()
    var place = Place.root

    var codingPath: [any CodingKey] { place.codingPath }

    var userInfo: [CodingUserInfoKey: Any] { options.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        node.becomeObject()
        return KeyedEncodingContainer(JSONKeyedEncoding(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        node.becomeArray()
        return JSONUnkeyedEncoding(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    /// The encoder of a part of what this one encodes.
    func nested(_ key: some CodingKey) -> JSONNodeEncoder {
        JSONNodeEncoder(options: options, place: .inside(place, key: key))
    }

    /// Encodes a part of what this one encodes, or all of it where there is no key.
    func encode(_ value: some Encodable, _ key: (any CodingKey)?) throws -> JSONEncodingNode.Part {
        if let form = try ownForm(of: value, key) { return .value(form) }
        let encoder = key.map { nested($0) } ?? JSONNodeEncoder(options: options, place: place)
        try value.encode(to: encoder)
        guard !encoder.node.isEmpty else {
            throw encoder.error(JSONError(.invalidValue, "a type encoded nothing"), value)
        }
        return .node(encoder.node)
    }

    /// Strings, which take a short cut, and bytes and dates; nil for values of all other types.
    private func ownForm<Value: Encodable>(of value: Value, _ key: (any CodingKey)?) throws -> JSONValue? {
        if Value.self == String.self, let string = value as? String { return .string(string) }
        if Value.self == [UInt8].self, let base64 = options.bytes.base64, let bytes = value as? [UInt8] {
            return .string(base64.encode(bytes))
        }
        do throws(JSONError) {
            return try options.valueOfFoundationType(value)
        } catch {
            throw (key.map { nested($0) } ?? self).error(error, value)
        }
    }

    /// The form of a floating-point number.
    func floatingPoint(_ value: some JSONFloatingPoint) throws -> JSONEncodingNode.Part {
        do throws(JSONError) {
            return .value(.number(try JSONNumber(floatingPoint: value)))
        } catch {
            throw self.error(error, value)
        }
    }

    private func error(_ error: JSONError, _ value: Any) -> EncodingError {
        let context = EncodingError.Context(
            codingPath: codingPath,
            debugDescription: error.message,
            underlyingError: error
        )
        return .invalidValue(value, context)
    }
}

extension JSONNodeEncoder: SingleValueEncodingContainer {
    mutating func encodeNil() throws { try node.set(.value(.null)) }
    mutating func encode(_ value: Bool) throws { try node.set(.value(.bool(value))) }
    mutating func encode(_ value: String) throws { try node.set(.value(.string(value))) }
    mutating func encode(_ value: Double) throws { try node.set(floatingPoint(value)) }
    mutating func encode(_ value: Float) throws { try node.set(floatingPoint(value)) }
    mutating func encode(_ value: Int) throws { try node.set(.value(.integer(value))) }
    mutating func encode(_ value: Int8) throws { try node.set(.value(.integer(value))) }
    mutating func encode(_ value: Int16) throws { try node.set(.value(.integer(value))) }
    mutating func encode(_ value: Int32) throws { try node.set(.value(.integer(value))) }
    mutating func encode(_ value: Int64) throws { try node.set(.value(.integer(value))) }
    mutating func encode(_ value: Int128) throws { try node.set(.value(.integer(value))) }
    mutating func encode(_ value: UInt) throws { try node.set(.value(.integer(value))) }
    mutating func encode(_ value: UInt8) throws { try node.set(.value(.integer(value))) }
    mutating func encode(_ value: UInt16) throws { try node.set(.value(.integer(value))) }
    mutating func encode(_ value: UInt32) throws { try node.set(.value(.integer(value))) }
    mutating func encode(_ value: UInt64) throws { try node.set(.value(.integer(value))) }
    mutating func encode(_ value: UInt128) throws { try node.set(.value(.integer(value))) }
    mutating func encode<Value: Encodable>(_ value: Value) throws {
        try node.set(encode(value, nil))
    }
}
