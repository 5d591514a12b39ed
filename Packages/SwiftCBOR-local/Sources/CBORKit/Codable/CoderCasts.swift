extension ItemDecoder {
    /// The decoder as one of this module.
    init(_ decoder: any Decoder, for type: Any.Type) throws {
        guard let item = decoder as? ItemDecoder else {
            let message = "\(type) can be decoded by CBORDecoder only"
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: message))
        }
        self = item
    }
}

extension ItemEncoder {
    /// Writes a value of this module to an encoder that must be one of this module.
    static func write<Value: Encodable>(_ value: Value, to encoder: any Encoder) throws {
        guard let item = encoder as? ItemEncoder else {
            let message = "\(Value.self) can be encoded by CBOREncoder only"
            throw EncodingError.invalidValue(value, .init(codingPath: encoder.codingPath, debugDescription: message))
        }
        try item.encode(value)
    }
}
