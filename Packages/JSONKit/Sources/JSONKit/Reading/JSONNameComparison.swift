/// Finds duplicate names in an object, comparing the bytes that they decode to.
///
/// A few bytes tell the names of most objects apart. All others are looked up in a table, whose hash is the standard
/// library's, keyed at random for each process, so that colliding names cannot be chosen.
struct JSONNameComparison {
    /// A name: where its bytes are, the first eight of them padded with zeros, and its item.
    private struct Name {
        let offset: Int
        let length: Int
        let head: UInt64
        let item: Int

        @inline(__always)
        init(_ bytes: Span<UInt8>, _ range: Range<Int>, item: Int) {
            offset = range.lowerBound
            length = range.count
            head = bytes.head(of: range)
            self.item = item
        }
    }

    /// Up to this many names are told apart by a few bytes.
    private static let mostFingerprints = 64

    private var names: ContiguousArray<Name> = []

    /// Returns `true` if the names of an object surely differ: they have no escapes, and a few bytes tell them apart.
    ///
    /// A set of 64 bits knows most new names: only one whose bit is taken is compared.
    ///
    /// - Parameters:
    ///   - items: The tape so far, which ends with the object's last value.
    ///   - first: The item of the object's first name.
    ///   - text: The text that the tape belongs to.
    @inline(__always)
    static func areDistinct(_ items: JSONTapeItems, from first: Int, _ text: Span<UInt8>) -> Bool {
        unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: mostFingerprints) { fingerprints in
            var seen: UInt64 = 0
            var count = 0
            var index = first
            while index < items.count {
                let name = items[index]
                guard name.kind == .name, count < mostFingerprints else { return false }
                let fingerprint = text.fingerprint(of: name.textRange)
                let bit: UInt64 = 1 << ((fingerprint &* 0x9e37_79b9_7f4a_7c15) >> 58)
                if seen & bit != 0 {
                    for earlier in 0..<count where unsafe fingerprints[earlier] == fingerprint { return false }
                }
                seen |= bit
                unsafe fingerprints[count] = fingerprint
                count &+= 1
                index = Int(items[index &+ 1].next)
            }
            return true
        }
    }

    /// The item of the first name that equals an earlier one of the same object; see ``areDistinct(_:from:_:)``.
    @inline(never)
    static func firstDuplicate(in items: JSONTapeItems, from first: Int, _ text: Span<UInt8>) -> Int? {
        var comparison = JSONNameComparison()
        var hasEscapes = false
        var index = first
        while index < items.count {
            comparison.names.append(Name(text, items[index].textRange, item: index))
            hasEscapes = hasEscapes || items[index].kind == .escapedName
            index = Int(items[index + 1].next)
        }
        guard hasEscapes else { return comparison.firstDuplicate(text) }
        let decoded = comparison.decodeNames(text)
        return comparison.firstDuplicate(decoded.span)
    }

    /// Decodes all names into one array, where they are looked for from now on.
    private mutating func decodeNames(_ text: Span<UInt8>) -> [UInt8] {
        var decoded: [UInt8] = []
        for index in names.indices {
            let name = names[index]
            let start = decoded.count
            JSONEscapes.decode(text.extracting(name.offset..<name.offset + name.length), into: &decoded)
            names[index] = Name(decoded.span, start..<decoded.count, item: name.item)
        }
        return decoded
    }

    private func firstDuplicate(_ bytes: Span<UInt8>) -> Int? {
        let size = 1 << (Int.bitWidth - (2 * names.count - 1).leadingZeroBitCount)
        var table = ContiguousArray(repeating: JSONTapeItem.none, count: size)
        for index in names.indices {
            var slot = hash(names[index], bytes) & (size - 1)
            while table[slot] != JSONTapeItem.none {
                if areEqual(names[Int(table[slot])], names[index], bytes) { return names[index].item }
                slot = (slot + 1) & (size - 1)
            }
            table[slot] = UInt32(index)
        }
        return nil
    }

    private func hash(_ name: Name, _ bytes: Span<UInt8>) -> Int {
        var hasher = Hasher()
        let range = name.offset..<name.offset + name.length
        unsafe bytes.extracting(range).withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        return hasher.finalize()
    }

    @inline(__always)
    private func areEqual(_ a: Name, _ b: Name, _ bytes: Span<UInt8>) -> Bool {
        a.head == b.head && a.length == b.length
            && (a.length <= 8 || bytes.holds(bytes, b.offset + 8..<b.offset + b.length, at: a.offset + 8))
    }
}

extension Span<UInt8> {
    /// Eight bytes that differ for most different names without escapes: the whole of a short one, both ends and the
    /// length of a long one.
    @inline(__always)
    fileprivate func fingerprint(of range: Range<Int>) -> UInt64 {
        let first = head(of: range)
        guard range.count > 8 else { return first }
        let last = word(at: range.upperBound &- 8) &+ UInt64(truncatingIfNeeded: range.count)
        return first &+ last &* 0x9e37_79b9_7f4a_7c15
    }

    /// The first eight bytes of a range as one word, padded with zeros where it is shorter.
    @inline(__always)
    fileprivate func head(of range: Range<Int>) -> UInt64 {
        if range.lowerBound + 8 <= count {
            let word = word(at: range.lowerBound)
            return range.count >= 8 ? word : word & (1 << UInt64(8 * range.count) - 1)
        }
        return range.prefix(8).reduce(0) { $0 | UInt64(self[$1]) << UInt64(8 * ($1 - range.lowerBound)) }
    }
}
