extension CBORView {
    /// The item as an owned value, with everything in it; ``FormedCBOR`` also keeps forms other than the preferred.
    public func value() -> CBOR { value(keepingForm: false) }

    func value(keepingForm: Bool) -> CBOR {
        tape.read { contents in
            var reader = ValueReader(contents: contents, keepsForm: keepingForm, entry: entry)
            return reader.read()
        }
    }
}

extension CBOR {
    /// Reads one item.
    ///
    /// - Parameters:
    ///   - bytes: The encoded item, and nothing after it unless the options allow that.
    ///   - options: Limits, and what is refused.
    /// - Throws: ``CBORError`` if the bytes are not one item that the options allow.
    public init(
        decoding bytes: some Collection<UInt8>,
        options: CBORReadingOptions = .default
    ) throws(CBORError) {
        self = try CBORDocument(Array(bytes), options: options).root.value()
    }

    /// Reads one item from a slice, without a copy.
    ///
    /// - Throws: ``CBORError`` if the bytes are not one item that the options allow.
    public init(
        decoding bytes: ArraySlice<UInt8>,
        options: CBORReadingOptions = .default
    ) throws(CBORError) {
        self = try CBORDocument(bytes, options: options).root.value()
    }
}

extension CBOR {
    /// The item as an owned value.
    public init(cbor view: CBORView) {
        self = view.value()
    }
}
