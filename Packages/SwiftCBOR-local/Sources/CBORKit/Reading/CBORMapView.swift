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

    /// Indicates that reading has checked that no two keys are equal; otherwise it is unknown.
    public var hasUniqueKeys: Bool { view.tape.hasUniqueKeys }

    /// Indicates that there are no pairs.
    public var isEmpty: Bool { ItemIterator(within: view).isAtEnd }

    /// The value of a text key, or nil if the map does not have it.
    public func value(forKey key: String) -> CBORView? {
        var key = key
        return key.withUTF8 { utf8 in
            value { unsafe $0.isText($1, equalTo: utf8) }
        }
    }

    /// The value of an integer key, or nil if the map does not have it.
    public func value(forKey key: Int) -> CBORView? {
        entry(ofValueForKey: key).map(view.sibling)
    }

    /// Returns `true` if an integer key has a byte string whose content is as expected; makes no view, and copies nothing.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - isExpected: Checks the content; not called where the key is missing or its value is no byte string.
    public func hasBytes(forKey key: Int, _ isExpected: (Span<UInt8>) -> Bool) -> Bool {
        guard let entry = entry(ofValueForKey: key) else { return false }
        return view.tape.read { $0.hasBytes(entry, isExpected) }
    }

    private func entry(ofValueForKey key: Int) -> Int? {
        if hasUniqueKeys, let value = view.tape.read({ $0.value(ofKeyInItsPlace: key, in: view.entry) }) {
            return value
        }
        return entry { $0.isInteger($1, equalTo: key) }
    }

    /// The value of a text key.
    ///
    /// - Throws: ``CBORError/Code/missingItem`` if the map does not have it.
    public func required(_ key: String) throws(CBORError) -> CBORView {
        guard let value = value(forKey: key) else { throw .missingKey(.key(key), in: view) }
        return value
    }

    /// The value of an integer key.
    ///
    /// - Throws: ``CBORError/Code/missingItem`` if the map does not have it.
    public func required(_ key: Int) throws(CBORError) -> CBORView {
        guard let value = value(forKey: key) else { throw .missingKey(.label(Int128(key)), in: view) }
        return value
    }

    /// Returns `true` if the map has an integer key; makes no view.
    public func contains(_ key: Int) -> Bool {
        entry { $0.isInteger($1, equalTo: key) } != nil
    }

    private func value(where isWanted: (TapeContents, Int) -> Bool) -> CBORView? {
        entry(where: isWanted).map(view.sibling)
    }

    @inline(__always)
    private func entry(where isWanted: (TapeContents, Int) -> Bool) -> Int? {
        view.tape.read { contents in
            var entries = contents.children(of: view.entry)
            while let key = entries.next(), let value = entries.next() {
                if isWanted(contents, key) { return value }
            }
            return nil
        }
    }

    /// An index of the values by their integer keys, for many look-ups.
    ///
    /// One pass over the map makes the index; a look-up then takes the same time for any number of pairs. Keys of other
    /// kinds are skipped.
    public func integerKeys() -> CBORIntegerKeys {
        CBORIntegerKeys(self)
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
    /// The value of a key in a map of plain items whose keys are the numbers from 0 up, where the key is found without a
    /// search; nil in any other map.
    fileprivate func value(ofKeyInItsPlace key: Int, in map: Int) -> Int? {
        let entries = next(after: map) - map - 1
        let head = head(of: map)
        guard key >= 0, !head.isIndefinite, key < entries / 2, UInt64(entries) == head.argument * 2 else { return nil }
        let entry = map + 1 + 2 * key
        return isInteger(entry, equalTo: key) ? entry + 1 : nil
    }
}
