/// The checks on the keys of one map, whose entries are complete: no duplicates, and the demanded order.
///
/// Keys in their only encoding are compared as they stand: a few with each other, by the first and last bytes at once;
/// many after sorting. All others are brought to ``CanonicalKey`` first.
struct MapCheck {
    let contents: TapeContents
    let map: Int
    /// One past the last entry of the pairs.
    let end: Int

    /// Up to this many keys are compared with each other.
    private static let fewKeys = 16

    init(_ contents: TapeContents, map: Int, end: Int) {
        self.contents = contents
        self.map = map
        let isIndefinite = contents.initialByte(of: map) & 0x1f == 31
        self.end = isIndefinite ? end - 1 : end
    }

    /// Runs the checks that the options ask for.
    @inline(__always)
    func run(_ options: CBORReadingOptions) throws(TapeFailure) {
        if let order = options.keyOrder { try checkOrder(order) }
        guard options.duplicateKeys == .refuse, !hasOnePairAtMost else { return }
        if try !checkFewKeys() { try checkAllKeys() }
    }

    private var hasOnePairAtMost: Bool {
        map + 1 >= end || contents.next(after: contents.next(after: map + 1)) >= end
    }

    /// The bytes of a key: its value begins where it ends.
    @inline(__always)
    private func range(ofKey key: Int, value: Int) -> Range<Int> {
        unsafe Range(uncheckedBounds: (contents.offset(of: key), contents.offset(of: value)))
    }

    /// Compares every key with those before it; returns false, without a result, if there are many or unusual ones.
    private func checkFewKeys() throws(TapeFailure) -> Bool {
        let outcome = unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: Self.fewKeys) {
            fingerprints -> FewKeysOutcome in
            var count = 0
            var key = map + 1
            while key < end {
                let value = contents.next(after: key)
                let range = range(ofKey: key, value: value)
                guard count < Self.fewKeys, unsafe CanonicalKey.isOnlyEncoding(range.lowerBound, in: contents.bytes)
                else {
                    return .undecided
                }
                let fingerprint = contents.fingerprint(of: range)
                for index in 0..<count where unsafe fingerprints[index] == fingerprint {
                    if isKey(at: index, equalTo: range) { return .duplicate(key) }
                }
                unsafe fingerprints[count] = fingerprint
                count += 1
                key = contents.next(after: value)
            }
            return .distinct
        }
        if case .duplicate(let key) = outcome { throw duplicate(key) }
        return outcome == .distinct
    }

    private enum FewKeysOutcome: Equatable {
        case distinct
        case duplicate(Int)
        case undecided
    }

    private func isKey(at index: Int, equalTo range: Range<Int>) -> Bool {
        var key = map + 1
        for _ in 0..<index { key = contents.next(after: contents.next(after: key)) }
        let other = self.range(ofKey: key, value: contents.next(after: key))
        return unsafe contents.bytes[other].elementsEqual(contents.bytes[range])
    }

    /// Sorts the keys and compares neighbours.
    private func checkAllKeys() throws(TapeFailure) {
        var keys = KeyIndex(contents)
        var key = map + 1
        while key < end {
            let value = contents.next(after: key)
            try keys.append(key, range: range(ofKey: key, value: value))
            key = contents.next(after: value)
        }
        if let key = keys.firstDuplicate() { throw duplicate(key) }
    }

    private func checkOrder(_ order: CBORKeyOrder) throws(TapeFailure) {
        var previous: Range<Int>?
        var key = map + 1
        while key < end {
            let value = contents.next(after: key)
            let range = range(ofKey: key, value: value)
            if let previous, unsafe !order.areInOrder(contents.bytes[previous], contents.bytes[range]) {
                if unsafe contents.bytes[previous].elementsEqual(contents.bytes[range]) { throw duplicate(key) }
                let message = "the key is not in its place in the order of keys"
                throw TapeFailure(.notDeterministic, message, position: range.lowerBound, entry: key)
            }
            previous = range
            key = contents.next(after: value)
        }
    }

    private func duplicate(_ key: Int) -> TapeFailure {
        let name = contents.step(forKey: key)
        return TapeFailure(
            .duplicateKey,
            "the key \(name) occurs twice in the map",
            position: contents.offset(of: key),
            entry: key
        )
    }
}

extension TapeContents {
    /// Eight bytes that differ for most different encodings: the whole of a short one, both ends of a long one.
    @inline(__always)
    fileprivate func fingerprint(of range: Range<Int>) -> UInt64 {
        let count = range.count
        guard count < 8 else {
            let first = unsafe bytes.loadUnaligned(fromByteOffset: range.lowerBound, as: UInt64.self)
            let last = unsafe bytes.loadUnaligned(fromByteOffset: range.upperBound - 8, as: UInt64.self)
            return first &+ last &* 0x9e37_79b9_7f4a_7c15
        }
        if unsafe range.lowerBound + 8 <= bytes.count {
            let word = unsafe bytes.loadUnaligned(fromByteOffset: range.lowerBound, as: UInt64.self)
            return UInt64(littleEndian: word) & ~(UInt64.max << UInt64(count * 8))
        }
        var word: UInt64 = 0
        for position in range.reversed() { word = unsafe word << 8 | UInt64(bytes[position]) }
        return word
    }
}
