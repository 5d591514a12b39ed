extension CBOR {
    /// An integer of major type 0 or 1, or a bignum beyond them.
    public init(_ value: some BinaryInteger) {
        self = .integer(value)
    }

    /// A text string.
    public init(_ text: String) {
        self = .text(text)
    }

    /// The integer of major type 0 or 1, or nil for other kinds.
    public var integerValue: Int128? {
        switch unformed {
        case .unsigned(let argument): Int128(argument)
        case .negative(let argument): -1 - Int128(argument)
        default: nil
        }
    }

    /// The content of a byte string, or nil for other kinds.
    public var bytesValue: [UInt8]? {
        guard case .bytes(let bytes) = unformed else { return nil }
        return bytes
    }

    /// The text of a text string, or nil for other kinds.
    public var textValue: String? {
        guard case .text(let text) = unformed else { return nil }
        return text
    }

    /// The elements of an array, or nil for other kinds.
    public var arrayValue: [CBOR]? {
        guard case .array(let elements) = unformed else { return nil }
        return elements
    }

    /// The pairs of a map, or nil for other kinds.
    public var mapValue: CBORMap? {
        guard case .map(let map) = unformed else { return nil }
        return map
    }

    /// The Boolean, or nil for other items.
    public var boolValue: Bool? {
        switch unformed {
        case .simple(.true): true
        case .simple(.false): false
        default: nil
        }
    }

    /// The floating-point number, or nil for other kinds, integers among them.
    public var doubleValue: Double? {
        guard case .float(let number) = unformed else { return nil }
        return number.value
    }

    /// Indicates that the value is null.
    public var isNull: Bool { self == .null }

    /// The value of a text key of a map, or nil if it is missing or this is not a map.
    public subscript(key: String) -> CBOR? { mapValue?[.text(key)] }

    /// The value of an integer key of a map, or the element of an array with that index; nil if absent.
    public subscript(key: Int) -> CBOR? {
        if let elements = arrayValue { return elements.indices.contains(key) ? elements[key] : nil }
        return mapValue?[.integer(key)]
    }
}
