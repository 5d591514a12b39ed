/// The checks on the keys of one map, whose entries are complete: no duplicates, and the demanded order.
///
/// Keys in their only encoding are compared as they stand: a few with each other, by the first and last bytes at once;
/// many after sorting. All others are brought to ``CanonicalKey`` first.
struct MapCheck {
    private let contents: TapeContents
    private let firstKey: Int
    /// One past the last entry of the pairs.
    private let end: Int

    /// Up to this many keys are compared with each other.
    private static let fewKeys = 32

    /// The check of the map at an entry, whose pairs the rest of the entries are.
    @inline(__always)
    init(_ contents: TapeContents, map: Int) {
        self.contents = contents
        firstKey = map + 1
        let isIndefinite = contents.initialByte(of: map) & 0x1f == 31
        end = isIndefinite ? contents.count - 1 : contents.count
    }

    /// The failure of a key that occurs before.
    @inline(__always)
    func duplicateKey() -> TapeFailure? {
        guard firstKey < end, contents.next(after: contents.next(after: firstKey)) < end else { return nil }
        switch checkFewKeys() {
        case .distinct: return nil
        case .duplicate(let key): return failure(.duplicateKey, key)
        case .undecided: return checkAllKeys()
        }
    }

    /// The bytes of a key: its value begins where it ends.
    @inline(__always)
    private func range(ofKey key: Int, value: Int) -> Range<Int> {
        unsafe Range(uncheckedBounds: (contents.offset(of: key), contents.offset(of: value)))
    }

    private func failure(_ reason: TapeFailure.Reason, _ key: Int) -> TapeFailure {
        TapeFailure(reason, position: contents.offset(of: key), entry: key)
    }

    private enum FewKeysOutcome {
        case distinct
        case duplicate(Int)
        /// There are many keys, or unusual ones.
        case undecided
    }

    /// Compares every key with those before it.
    ///
    /// A set of 64 bits knows most new keys: only one whose bit is taken is compared.
    @inline(never)
    private func checkFewKeys() -> FewKeysOutcome {
        unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: Self.fewKeys) { fingerprints in
            var seen: UInt64 = 0
            var count = 0
            var key = firstKey
            while key < end {
                let value = contents.next(after: key)
                let range = range(ofKey: key, value: value)
                guard count < Self.fewKeys, unsafe CanonicalKey.isOnlyEncoding(range.lowerBound, in: contents.bytes)
                else {
                    return .undecided
                }
                let fingerprint = contents.fingerprint(of: range)
                let bit: UInt64 = 1 << ((fingerprint &* 0x9e37_79b9_7f4a_7c15) >> 58)
                if seen & bit != 0 {
                    for index in 0..<count where unsafe fingerprints[index] == fingerprint {
                        if isKey(at: index, equalTo: range) { return .duplicate(key) }
                    }
                }
                seen |= bit
                unsafe fingerprints[count] = fingerprint
                count &+= 1
                key = contents.next(after: value)
            }
            return .distinct
        }
    }

    private func isKey(at index: Int, equalTo range: Range<Int>) -> Bool {
        var key = firstKey
        for _ in 0..<index { key = contents.next(after: contents.next(after: key)) }
        let other = self.range(ofKey: key, value: contents.next(after: key))
        return unsafe contents.bytes[other].elementsEqual(contents.bytes[range])
    }

    /// Sorts the keys and compares neighbors.
    private func checkAllKeys() -> TapeFailure? {
        var keys = KeyIndex(contents)
        var key = firstKey
        while key < end {
            let value = contents.next(after: key)
            do throws(TapeFailure) {
                try keys.append(key, range: range(ofKey: key, value: value))
            } catch {
                return error
            }
            key = contents.next(after: value)
        }
        return keys.firstDuplicate().map { failure(.duplicateKey, $0) }
    }

    /// The failure of a key that must not stand after the one before it.
    @inline(never)
    func misplacedKey(in order: CBORKeyOrder) -> TapeFailure? {
        var previous: Range<Int>?
        var key = firstKey
        while key < end {
            let value = contents.next(after: key)
            let range = range(ofKey: key, value: value)
            if let previous, unsafe !order.areInOrder(contents.bytes[previous], contents.bytes[range]) {
                let isEqual = unsafe contents.bytes[previous].elementsEqual(contents.bytes[range])
                return failure(isEqual ? .duplicateKey : .keyOrder, key)
            }
            previous = range
            key = contents.next(after: value)
        }
        return nil
    }
}

extension TapeContents {
    /// Eight bytes that differ for most different encodings: the whole of a short one, both ends of a long one.
    @inline(__always)
    func fingerprint(of range: Range<Int>) -> UInt64 {
        let count = range.upperBound &- range.lowerBound
        guard count < 8 else {
            let first = unsafe bytes.loadUnaligned(fromByteOffset: range.lowerBound, as: UInt64.self)
            let last = unsafe bytes.loadUnaligned(fromByteOffset: range.upperBound &- 8, as: UInt64.self)
            return first &+ last &* 0x9e37_79b9_7f4a_7c15
        }
        guard unsafe range.lowerBound &+ 8 <= bytes.count else { return lastFingerprint(of: range) }
        let word = unsafe bytes.loadUnaligned(fromByteOffset: range.lowerBound, as: UInt64.self)
        return UInt64(littleEndian: word) & ~(UInt64.max << UInt64(truncatingIfNeeded: count &* 8))
    }

    /// The fingerprint of a short key right before the end of the input.
    @inline(never)
    private func lastFingerprint(of range: Range<Int>) -> UInt64 {
        range.reversed().reduce(0) { unsafe $0 << 8 | UInt64(bytes[$1]) }
    }
}
