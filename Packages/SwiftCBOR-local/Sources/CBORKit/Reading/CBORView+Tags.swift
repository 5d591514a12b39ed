extension CBORView {
    /// The number of the tag, or nil for other kinds.
    public var tag: UInt64? {
        let head = head
        return head.major == 6 ? head.argument : nil
    }

    /// The content of a tag that must have the given number.
    ///
    /// - Throws: ``CBORError/Code/typeMismatch`` for another tag and for other kinds.
    public func content(ofTag number: UInt64) throws(CBORError) -> CBORView {
        guard tag == number else {
            guard let tag else { throw .typeMismatch(expected: "tag \(number)", at: self) }
            throw CBORError(.typeMismatch, "expected tag \(number), found tag \(tag)", at: self)
        }
        return sibling(entry + 1)
    }

    /// The item without the tags around it.
    public func untagged() -> CBORView {
        var entry = entry
        tape.read { contents in
            while contents.initialByte(of: entry) >> 5 == 6 { entry += 1 }
        }
        return sibling(entry)
    }

    /// Reads the CBOR item that a byte string holds: of this item, or of its content if it is tag 24 (RFC 8949 section
    /// 3.4.5.1).
    ///
    /// The document shares the received bytes; offsets and paths in its errors are those of the outermost input.
    ///
    /// - Throws: ``CBORError``, if there is no byte string, or it does not hold one item that the options allow.
    public func embedded(options: CBORReadingOptions = .default) throws(CBORError) -> CBORDocument {
        let string = tag == nil ? self : try content(ofTag: 24)
        if let item = tape.read({ $0.embeddedItem(in: string.entry) }), tape.embeddedOptions == options {
            return CBORDocument(tape: tape, entry: item)
        }
        let content = try string.bytes()
        let start = string.isIndefinite ? string.offset : string.offset + string.head.byteCount
        return try CBORDocument(
            content: content,
            origin: Tape.Origin(place: .content(string), offset: start),
            options: options
        )
    }
}
