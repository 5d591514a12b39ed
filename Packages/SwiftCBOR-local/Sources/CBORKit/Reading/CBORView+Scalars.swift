extension CBORView {
    /// The integer of major type 0 or 1, in any fixed-width type; `Int128` holds them all.
    ///
    /// - Throws: ``CBORError/Code/typeMismatch`` for other kinds, ``CBORError/Code/outOfRange`` if the type cannot hold
    ///   the number.
    @inlinable
    public func integer<Integer: FixedWidthInteger>(as type: Integer.Type = Integer.self) throws(CBORError) -> Integer {
        guard let (isNegative, argument) = integerHead else { throw .typeMismatch(expected: "integer", at: self) }
        let result =
            if !isNegative {
                Integer(exactly: argument)
            } else if let argument = Int64(exactly: argument) {
                Integer(exactly: ~argument)
            } else {
                Integer(exactly: -1 - Int128(argument))
            }
        guard let result else { throw .outOfRange("\(Integer.self)", at: self) }
        return result
    }

    /// The sign and the argument of an integer; nil for other kinds.
    ///
    /// Not generic, so that callers compile only the part that differs from integer type to integer type.
    @usableFromInline
    var integerHead: (isNegative: Bool, argument: UInt64)? {
        let head = head
        return head.major < 2 ? (head.major == 1, head.argument) : nil
    }

    /// The text of a text string; chunks are joined.
    ///
    /// - Throws: ``CBORError/Code/typeMismatch`` for other kinds.
    public func text() throws(CBORError) -> String {
        if let text = tape.read({ $0.text(entry) }) { return text }
        return String(decoding: try utf8(), as: UTF8.self)
    }

    /// Returns `true` if the item is a text string with the given UTF-8 bytes; decodes nothing.
    public func isText(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { utf8 in tape.read { unsafe $0.isText(entry, equalTo: utf8) } }
    }

    /// The content of a byte string: a slice of the received bytes, or the chunks joined.
    ///
    /// - Throws: ``CBORError/Code/typeMismatch`` for other kinds.
    public func bytes() throws(CBORError) -> ArraySlice<UInt8> {
        guard initialByte >> 5 == 2 else { throw .typeMismatch(expected: "byte string", at: self) }
        return stringContent
    }

    /// The UTF-8 bytes of a text string: a slice of the received bytes, or the chunks joined.
    ///
    /// - Throws: ``CBORError/Code/typeMismatch`` for other kinds.
    public func utf8() throws(CBORError) -> ArraySlice<UInt8> {
        guard initialByte >> 5 == 3 else { throw .typeMismatch(expected: "text string", at: self) }
        return stringContent
    }

    private var stringContent: ArraySlice<UInt8> {
        guard initialByte & 0x1f == 31 else { return tape.slice(tape.read { $0.contentRange(of: entry) }) }
        return tape.read { $0.string(at: entry) }[...]
    }

    /// The Boolean value.
    ///
    /// - Throws: ``CBORError/Code/typeMismatch`` for other items.
    public func bool() throws(CBORError) -> Bool {
        switch initialByte {
        case 0xf4: return false
        case 0xf5: return true
        default: throw .typeMismatch(expected: "Boolean value", at: self)
        }
    }

    /// The simple value, Booleans, null and undefined among them.
    ///
    /// - Throws: ``CBORError/Code/typeMismatch`` for other kinds.
    public func simple() throws(CBORError) -> CBORSimpleValue {
        let head = head
        guard head.initial >= 0xe0, head.initial <= 0xf8,
            let value = CBORSimpleValue(rawValue: UInt8(truncatingIfNeeded: head.argument))
        else { throw .typeMismatch(expected: "simple value", at: self) }
        return value
    }

    /// The floating-point number, in double precision, which holds all that CBOR can express.
    ///
    /// - Throws: ``CBORError/Code/typeMismatch`` for other kinds, integers among them.
    public func double() throws(CBORError) -> Double {
        try float().value
    }

    /// The floating-point number with the precision it was written in.
    ///
    /// - Throws: ``CBORError/Code/typeMismatch`` for other kinds.
    public func float() throws(CBORError) -> CBORFloat {
        let head = head
        guard head.initial >= 0xf9 else { throw .typeMismatch(expected: "floating-point number", at: self) }
        return CBORFloat(initialByte: head.initial, bits: head.argument)
    }

    /// Indicates that the item is null.
    public var isNull: Bool { initialByte == 0xf6 }

    /// Indicates that the item is undefined.
    public var isUndefined: Bool { initialByte == 0xf7 }
}
