/// The keys of one map, made comparable by their bytes, for maps with many or unusual keys.
struct KeyIndex {
    private let contents: TapeContents
    private var keys: [Key] = []
    /// The canonical forms of the keys that do not stand in it.
    private var canonical: [UInt8] = []

    private struct Key {
        let entry: Int
        /// The first eight bytes, so that most comparisons end here.
        let prefix: UInt64
        let range: Range<Int>
        let isCanonicalised: Bool
    }

    init(_ contents: TapeContents) {
        self.contents = contents
    }

    /// Adds a key with the range of its bytes.
    mutating func append(_ entry: Int, range: Range<Int>) throws(TapeFailure) {
        guard unsafe !CanonicalKey.isOnlyEncoding(range.lowerBound, in: contents.bytes) else {
            let prefix = unsafe Self.prefix(of: contents.bytes[range])
            keys.append(Key(entry: entry, prefix: prefix, range: range, isCanonicalised: false))
            return
        }
        let start = canonical.count
        try CanonicalKey.append(entry, in: contents, to: &canonical)
        let prefix = Self.prefix(of: canonical[start...])
        keys.append(Key(entry: entry, prefix: prefix, range: start..<canonical.count, isCanonicalised: true))
    }

    /// The later of two equal keys, if there are any.
    mutating func firstDuplicate() -> Int? {
        unsafe canonical.withUnsafeBytes { canonical in
            let contents = contents
            func bytes(_ key: Key) -> Slice<UnsafeRawBufferPointer> {
                unsafe key.isCanonicalised ? canonical[key.range] : contents.bytes[key.range]
            }
            keys.sort { first, second in
                if first.prefix != second.prefix { return first.prefix < second.prefix }
                return unsafe bytes(first).lexicographicallyPrecedes(bytes(second))
            }
            for (first, second) in zip(keys, keys.dropFirst()) where first.prefix == second.prefix {
                if unsafe bytes(first).elementsEqual(bytes(second)) { return max(first.entry, second.entry) }
            }
            return nil
        }
    }

    private static func prefix(of bytes: some Collection<UInt8>) -> UInt64 {
        var word: UInt64 = 0
        var shift: UInt64 = 56
        for byte in bytes.prefix(8) {
            word |= UInt64(byte) << shift
            shift &-= 8
        }
        return word
    }
}
