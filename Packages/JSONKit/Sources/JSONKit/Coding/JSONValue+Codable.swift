// With the coders of this module these types keep what is written. With others they take what those can give: integers
// up to 64 bits and `Double`, and objects in no particular order.

extension JSONValue: Codable {
    /// Takes the value as it is written; from another decoder, the decoded value.
    public init(from decoder: any Decoder) throws {
        if let decoder = decoder as? JSONValueDecoder {
            self = try decoder.session.read(JSONValue.self, at: decoder.index) { view throws(JSONError) in
                try view.value()
            }
        } else {
            self = try Self.value(from: decoder)
        }
    }

    private static func value(from decoder: any Decoder) throws -> JSONValue {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() { return .null }
        if let value = try? container.decode(Bool.self) { return .bool(value) }
        if let value = try? container.decode(JSONNumber.self) { return .number(value) }
        if let value = try? container.decode(String.self) { return .string(value) }
        if let value = try? container.decode([JSONValue].self) { return .array(value) }
        return .object(try container.decode(JSONObject.self))
    }

    /// Returns the value to write.
    public func encode(to encoder: any Encoder) throws {
        if let encoder = encoder as? JSONNodeEncoder {
            try encoder.node.set(.value(self))
            return
        }
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

extension JSONNumber: Codable {
    /// Takes the number as it is written; from another decoder, the decoded number.
    public init(from decoder: any Decoder) throws {
        if let decoder = decoder as? JSONValueDecoder {
            self = try decoder.session.read(JSONNumber.self, at: decoder.index) { view throws(JSONError) in
                try view.number()
            }
            return
        }
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(Int64.self) {
            self.init(value)
        } else if let value = try? container.decode(UInt64.self) {
            self.init(value)
        } else {
            try self.init(container.decode(Double.self))
        }
    }

    /// Returns the number to write; another encoder gets the integer or `Double` of that value.
    public func encode(to encoder: any Encoder) throws {
        if let encoder = encoder as? JSONNodeEncoder {
            try encoder.node.set(.value(.number(self)))
            return
        }
        var container = encoder.singleValueContainer()
        if let value = try? integer(as: Int64.self) {
            try container.encode(value)
        } else if let value = try? integer(as: UInt64.self) {
            try container.encode(value)
        } else {
            try container.encode(double())
        }
    }
}

extension JSONObject: Codable {
    /// Takes the members as they are written; from another decoder, the decoded members.
    public init(from decoder: any Decoder) throws {
        if let decoder = decoder as? JSONValueDecoder {
            self = try decoder.session.read(JSONObject.self, at: decoder.index) { view throws(JSONError) in
                try view.object().value()
            }
            return
        }
        let container = try decoder.container(keyedBy: JSONCodingKey.self)
        self.init(try container.allKeys.map { ($0.stringValue, try container.decode(JSONValue.self, forKey: $0)) })
    }

    /// Gives the members in their order.
    public func encode(to encoder: any Encoder) throws {
        if let encoder = encoder as? JSONNodeEncoder {
            try encoder.node.set(.value(.object(self)))
            return
        }
        var container = encoder.container(keyedBy: JSONCodingKey.self)
        for (name, value) in self { try container.encode(value, forKey: JSONCodingKey(stringValue: name)) }
    }
}

extension JSONView: Decodable {
    /// Keeps the value with the bytes it was read from, where a ``StrictJSONDecoder`` decodes.
    ///
    /// - Throws: `DecodingError` with any other decoder.
    public init(from decoder: any Decoder) throws {
        guard let decoder = decoder as? JSONValueDecoder else {
            let message = "only StrictJSONDecoder gives views"
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: message))
        }
        self = decoder.view
    }
}
