extension CBORView {
    /// The item as an owned value, with all that is in it.
    ///
    /// - Parameter keepingForm: Whether what is not in preferred form is kept with its form, as ``CBOR/formed(_:_:)``,
    ///   so that ``CBOREncodingOptions/asRead`` writes the same bytes again.
    public func value(keepingForm: Bool = false) -> CBOR {
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
    ///   - keepingForm: Whether what is not in preferred form is kept with its form; see
    ///     ``CBORView/value(keepingForm:)``.
    /// - Throws: ``CBORError`` if the bytes are not one item that the options allow.
    public init(
        decoding bytes: [UInt8],
        options: CBORReadingOptions = .default,
        keepingForm: Bool = false
    ) throws(CBORError) {
        self = try CBORDocument(bytes, options: options).root.value(keepingForm: keepingForm)
    }

    /// Reads one item from a slice.
    ///
    /// - Throws: ``CBORError`` if the bytes are not one item that the options allow.
    public init(
        decoding bytes: ArraySlice<UInt8>,
        options: CBORReadingOptions = .default,
        keepingForm: Bool = false
    ) throws(CBORError) {
        self = try CBORDocument(bytes, options: options).root.value(keepingForm: keepingForm)
    }
}

extension CBOR {
    /// The item as an owned value.
    public init(cbor view: CBORView) {
        self = view.value()
    }
}
