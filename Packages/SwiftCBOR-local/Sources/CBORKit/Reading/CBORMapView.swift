/// The pairs of a map in the order received, read when asked for.
///
/// Looking up a key goes through the encoded keys: nothing is decoded, and text is compared by its UTF-8 bytes, never as
/// Swift strings, which hold different spellings of a character for equal.
public struct CBORMapView: Sequence, Sendable {
    /// The map itself.
    public let view: CBORView

    /// The number of pairs: known for a definite length, counted for an indefinite one.
    public var count: Int {
        let head = view.head
        guard head.isIndefinite else { return Int(truncatingIfNeeded: head.argument) }
        return reduce(into: 0) { count, _ in count += 1 }
    }

    /// Whether there are no pairs.
    public var isEmpty: Bool { ItemIterator(within: view).isAtEnd }

    /// The value of a text key, or nil where the map does not have it.
    public func value(forKey key: String) -> CBORView? {
        var key = key
        return key.withUTF8 { utf8 in
            value { unsafe $0.isText($1, equalTo: utf8) }
        }
    }

    /// The value of an integer key, or nil where the map does not have it.
    public func value(forKey key: Int) -> CBORView? {
        value { $0.isInteger($1, equalTo: key) }
    }

    /// The value of a text key.
    ///
    /// - Throws: ``CBORError/Code/missingItem`` where the map does not have it.
    public func required(_ key: String) throws(CBORError) -> CBORView {
        guard let value = value(forKey: key) else { throw .missingKey(.key(key), in: view) }
        return value
    }

    /// The value of an integer key.
    ///
    /// - Throws: ``CBORError/Code/missingItem`` where the map does not have it.
    public func required(_ key: Int) throws(CBORError) -> CBORView {
        guard let value = value(forKey: key) else { throw .missingKey(.label(Int128(key)), in: view) }
        return value
    }

    private func value(where isWanted: (TapeContents, Int) -> Bool) -> CBORView? {
        let entry: Int? = view.tape.read { contents in
            var entries = contents.children(of: view.entry)
            while let key = entries.next(), let value = entries.next() {
                if isWanted(contents, key) { return value }
            }
            return nil
        }
        return entry.map(view.sibling)
    }

    /// Goes through the pairs in order.
    public func makeIterator() -> Iterator { Iterator(items: ItemIterator(within: view)) }

    /// Goes through the pairs of a map in order.
    public struct Iterator: IteratorProtocol {
        fileprivate var items: ItemIterator

        /// The next pair, or nil after the last.
        public mutating func next() -> (key: CBORView, value: CBORView)? {
            guard let key = items.next(), let value = items.next() else { return nil }
            return (key, value)
        }
    }
}

extension TapeContents {
    /// Whether an item is a text string with the given UTF-8 bytes.
    func isText(_ entry: Int, equalTo text: UnsafeBufferPointer<UInt8>) -> Bool {
        let head = head(of: entry)
        guard head.major == 3 else { return false }
        guard !head.isIndefinite else { return unsafe string(at: entry).elementsEqual(text) }
        guard head.argument == UInt64(text.count) else { return false }
        let start = offset(of: entry) + head.byteCount
        return unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<start + text.count]).elementsEqual(text)
    }

    /// Whether an item is an integer of major type 0 or 1 with the given value.
    func isInteger(_ entry: Int, equalTo value: Int) -> Bool {
        let head = head(of: entry)
        return value < 0
            ? head.major == 1 && head.argument == UInt64(~value) : head.major == 0 && head.argument == UInt64(value)
    }
}
