/// A borrowed look at checked input and its index, for the time of one operation.
@safe
struct TapeContents {
    let bytes: UnsafeRawBufferPointer
    let entries: UnsafeBufferPointer<TapeEntry>

    /// The number of entries.
    var count: Int { unsafe entries.count }

    /// The offset at which the item of an entry begins.
    func offset(of entry: Int) -> Int { unsafe Int(entries[entry].offset) }

    /// The entry after an item and all that is in it.
    func next(after entry: Int) -> Int { unsafe Int(entries[entry].next) }

    /// The head of an item.
    func head(of entry: Int) -> Head { unsafe Head(at: offset(of: entry), in: bytes) }

    /// The first byte of an item.
    func initialByte(of entry: Int) -> UInt8 { unsafe bytes[offset(of: entry)] }

    /// The offset at which the bytes of a closed item end.
    ///
    /// The last entry within an item has nothing in it, so its own end is that of the item.
    func end(of entry: Int) -> Int {
        let last = next(after: entry) - 1
        let head = head(of: last)
        let headEnd = offset(of: last) + head.byteCount
        return head.major == 2 || head.major == 3 ? headEnd + Int(head.argument) : headEnd
    }

    /// The bytes of a closed item.
    func range(of entry: Int) -> Range<Int> { offset(of: entry)..<end(of: entry) }

    /// The content of a definite-length string.
    func contentRange(of entry: Int) -> Range<Int> {
        let head = head(of: entry)
        let start = offset(of: entry) + head.byteCount
        return start..<start + Int(head.argument)
    }

    /// The entry of the item that was indexed along within a byte string, if it was.
    func embeddedItem(in entry: Int) -> Int? {
        let initial = initialByte(of: entry)
        guard initial >> 5 == 2, initial & 0x1f != 31, next(after: entry) > entry + 1 else { return nil }
        return entry + 1
    }

    /// The number of items directly within an item.
    func childCount(of entry: Int) -> Int {
        children(of: entry).reduce(into: 0) { count, _ in count += 1 }
    }

    /// The entries of the items directly within an item, where the break of an indefinite length is not one.
    func children(of entry: Int) -> TapeChildren {
        let isIndefinite = initialByte(of: entry) & 0x1f == 31
        return TapeChildren(contents: self, entry: entry + 1, end: next(after: entry) - (isIndefinite ? 1 : 0))
    }
}

/// The entries of the items directly within an item.
@safe
struct TapeChildren: Sequence, IteratorProtocol {
    let contents: TapeContents
    var entry: Int
    let end: Int

    mutating func next() -> Int? {
        guard entry < end else { return nil }
        let current = entry
        entry = contents.next(after: current)
        return current
    }
}

extension TapeContents {
    /// Checks the content of a byte string; `false` for another item.
    @inline(__always)
    func hasBytes(_ entry: Int, _ isExpected: (Span<UInt8>) -> Bool) -> Bool {
        let head = head(of: entry)
        guard head.major == 2 else { return false }
        guard !head.isIndefinite else { return isExpected(string(at: entry).span) }
        return isExpected(unsafe Span(_unsafeBytes: bytes[contentRange(of: entry)]))
    }

    /// The content of a string, chunks joined.
    func string(at entry: Int) -> [UInt8] {
        guard head(of: entry).isIndefinite else { return unsafe Array(bytes[contentRange(of: entry)]) }
        var joined: [UInt8] = []
        for chunk in children(of: entry) { unsafe joined += unsafe bytes[contentRange(of: chunk)] }
        return joined
    }
}
