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
        if let item = embeddedItem, tape.embeddedOptions == options {
            return CBORDocument(tape: tape, entry: item.entry)
        }
        let string = tag == nil ? self : try content(ofTag: 24)
        let content = try string.bytes()
        let start = string.isIndefinite ? string.offset : string.offset + string.head.byteCount
        return try CBORDocument(
            content: content,
            origin: Tape.Origin(place: .content(string.tape, entry: string.entry), offset: start),
            options: options
        )
    }

    /// The item that a byte string holds, of this item or of its content if it is tag 24, where it was indexed along
    /// with the document by ``CBORReadingOptions/indexesEmbeddedItems``; nil if it was not.
    public var embeddedItem: CBORView? {
        tape.read { $0.embeddedItem(inTagOrString: entry) }.map(sibling)
    }

    /// The item that this one is embedded in: the tag 24, or the byte string where it has no such tag; nil for an item
    /// that is not the whole of what is embedded.
    var embeddingItem: CBORView? {
        if entry == 0 {
            guard let origin = tape.origin, case .content(let tape, let string) = origin.place else { return nil }
            return CBORView(tape: tape, entry: tape.read { $0.tagEntry(around: string) })
        }
        return tape.read { $0.embeddingItem(of: entry) }.map(sibling)
    }
}

extension TapeContents {
    /// The entry of the item that was indexed along within a byte string, or within the content of tag 24, if it was.
    func embeddedItem(inTagOrString entry: Int) -> Int? {
        let head = head(of: entry)
        return embeddedItem(in: head.major == 6 && head.argument == 24 ? entry + 1 : entry)
    }

    /// The entry of what an item, not the root, is embedded in, if it was indexed along with that.
    func embeddingItem(of entry: Int) -> Int? {
        embeddedItem(in: entry - 1) == entry ? tagEntry(around: entry - 1) : nil
    }

    /// The entry of the tag 24 around an item, or that of the item where it has no such tag.
    fileprivate func tagEntry(around entry: Int) -> Int {
        guard entry > 0, case let head = head(of: entry - 1), head.major == 6, head.argument == 24 else { return entry }
        return entry - 1
    }
}
