/// The form of an item that is not written in the preferred way (RFC 8949 section 4.1).
///
/// Diagnostic notation has encoding indicators for the same (section 8.1). The precision of a floating-point number is
/// in ``CBORFloat`` instead. ``FormedCBOR`` writes the forms, and refuses one that does not fit its value.
public enum CBORForm: Hashable, Sendable {
    /// The argument of the head takes more bytes than needed: `_0` to `_3`.
    case width(CBORWidth)
    /// The array or map has an indefinite length: `[_ ]`, `{_ }`.
    case indefinite
    /// The string is in chunks, whose lengths in bytes add up to it: `(_ )`.
    case chunks([Chunk])

    /// One definite-length string of an indefinite-length one.
    public struct Chunk: Hashable, Sendable {
        /// The length of the chunk in bytes.
        public var count: Int
        /// The width of the chunk's head if it takes more bytes than needed.
        public var width: CBORWidth?

        /// A chunk of so many bytes.
        public init(count: Int, width: CBORWidth? = nil) {
            self.count = count
            self.width = width
        }
    }
}

/// A value together with the form of every item in it, so that it is written as it was read.
///
/// ```swift
/// let item = try FormedCBOR(decoding: [0x9f, 0x18, 0x01, 0xff])
/// item.encoded() == [0x9f, 0x18, 0x01, 0xff]
/// item.value.encoded() == [0x81, 0x01]
/// ```
///
/// Read an item with its forms, or build a value with fitting forms, to make one. A ``CBOR`` by itself has only the
/// preferred and the deterministic encodings.
public struct FormedCBOR: Sendable {
    /// The value, with ``CBOR/formed(_:_:)`` around every item that is not in preferred form.
    public let value: CBOR

    /// The item of a view, with everything in it.
    public init(_ view: CBORView) {
        value = view.value(keepingForm: true)
    }

    /// Reads one item.
    ///
    /// - Throws: ``CBORError`` for bytes other than one item that the options allow.
    public init(decoding bytes: some Collection<UInt8>, options: CBORReadingOptions = .default) throws(CBORError) {
        let bytes = Array(bytes)
        self.init(try CBORDocument(bytes, options: options).root)
    }

    /// Reads one item from a slice.
    ///
    /// - Throws: ``CBORError`` for bytes other than one item that the options allow.
    public init(decoding bytes: ArraySlice<UInt8>, options: CBORReadingOptions = .default) throws(CBORError) {
        self.init(try CBORDocument(bytes, options: options).root)
    }

    /// Wraps a value that was built, or changed after it was read with its forms; parts without a form are written in
    /// preferred form.
    ///
    /// A value that was read without its forms has lost them: read it as a ``FormedCBOR``.
    ///
    /// - Throws: ``CBORError/Code/notEncodable`` for a form that does not fit the value in it.
    public init(building value: CBOR) throws(CBORError) {
        try value.requireFittingForms()
        self.value = value
    }

    /// The bytes of the item, every part in its form.
    public func encoded() -> [UInt8] { value.encoded(.formed) }
}

extension CBOR {
    /// Refuses a form that does not fit the value in it.
    fileprivate func requireFittingForms() throws(CBORError) {
        switch self {
        case .array(let elements):
            for (index, element) in elements.enumerated() { try element.requireFittingForms(at: .index(index)) }
        case .map(let map):
            for (index, pair) in map.enumerated() {
                try pair.key.requireFittingForms(at: .keyItem(index))
                try pair.value.requireFittingForms(at: CBORPath.Step(key: pair.key))
            }
        case .tagged(let number, let content): try content.requireFittingForms(at: .tag(number))
        case .formed(let form, let value):
            guard form.fits(value) else {
                throw CBORError(.notEncodable, "the item cannot be written in the form \(form)")
            }
            try value.requireFittingForms()
        case .unsigned, .negative, .bytes, .text, .simple, .float: break
        }
    }

    private func requireFittingForms(at step: CBORPath.Step) throws(CBORError) {
        do {
            try requireFittingForms()
        } catch {
            throw error.located(under: CBORPath([step]), by: 0)
        }
    }
}

extension CBORPath.Step {
    /// The step to the value of a key.
    fileprivate init(key: CBOR) {
        switch key.unformed {
        case .unsigned(let argument): self = .label(Int128(argument))
        case .negative(let argument): self = .label(-1 - Int128(argument))
        case .text(let text): self = .key(text)
        default: self = .otherKey(key.diagnosticNotation())
        }
    }
}
