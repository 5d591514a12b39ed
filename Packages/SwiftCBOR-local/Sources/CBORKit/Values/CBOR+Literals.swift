extension CBOR: ExpressibleByIntegerLiteral {
    /// An integer of major type 0 or 1.
    public init(integerLiteral value: Int64) {
        self = .integer(value)
    }
}

extension CBOR: ExpressibleByFloatLiteral {
    /// A floating-point number in the shortest precision that holds it.
    public init(floatLiteral value: Double) {
        self = .double(value)
    }
}

extension CBOR: ExpressibleByStringLiteral {
    /// A text string.
    public init(stringLiteral value: String) {
        self = .text(value)
    }
}

extension CBOR: ExpressibleByBooleanLiteral {
    /// The simple value false or true.
    public init(booleanLiteral value: Bool) {
        self = .bool(value)
    }
}

extension CBOR: ExpressibleByNilLiteral {
    /// The simple value null.
    public init(nilLiteral: ()) {
        self = .null
    }
}

extension CBOR: ExpressibleByArrayLiteral {
    /// An array.
    public init(arrayLiteral elements: CBOR...) {
        self = .array(elements)
    }
}

extension CBOR: ExpressibleByDictionaryLiteral {
    /// A map of the pairs in the order written.
    public init(dictionaryLiteral elements: (CBOR, CBOR)...) {
        self = .map(CBORMap(elements.map { CBORMap.Pair(key: $0.0, value: $0.1) }))
    }
}
