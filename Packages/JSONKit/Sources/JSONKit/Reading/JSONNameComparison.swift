/// Finds duplicate names in an object, comparing the bytes that they decode to.
///
/// Objects of ordinary size are compared pair by pair, larger ones through a table. Its hash is the standard library's,
/// keyed at random for each process, so that colliding names cannot be chosen. The storage is kept from object to
/// object.
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

    private static let mostPairwise = 12

    private var names: ContiguousArray<Name> = []
    private var table: ContiguousArray<UInt32> = []

    /// The item of the first name that equals an earlier one of the same object.
    ///
    /// - Parameters:
    ///   - items: The tape so far, which ends with the object's last value.
    ///   - first: The item of the object's first name.
    ///   - text: The text that the tape belongs to.
    @inline(__always)
    mutating func firstDuplicate(
        in items: ContiguousArray<JSONTapeItem>,
        from first: Int,
        _ text: Span<UInt8>
    ) -> Int? {
        Int(items[first + 1].next) < items.count ? firstDuplicate(ofSeveral: items, from: first, text) : nil
    }

    private mutating func firstDuplicate(
        ofSeveral items: ContiguousArray<JSONTapeItem>,
        from first: Int,
        _ text: Span<UInt8>
    ) -> Int? {
        names.removeAll(keepingCapacity: true)
        names.reserveCapacity(Self.mostPairwise)
        var hasEscapes = false
        var index = first
        while index < items.count {
            names.append(Name(text, items[index].textRange, item: index))
            hasEscapes = hasEscapes || items[index].kind == .escapedName
            index = Int(items[index + 1].next)
        }
        guard hasEscapes else { return firstDuplicate(text) }
        let decoded = decodeNames(text)
        return firstDuplicate(decoded.span)
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

    private mutating func firstDuplicate(_ bytes: Span<UInt8>) -> Int? {
        names.count <= Self.mostPairwise ? firstDuplicatePairwise(bytes) : firstDuplicateByTable(bytes)
    }

    private func firstDuplicatePairwise(_ bytes: Span<UInt8>) -> Int? {
        let names = names.span
        for later in 1..<names.count {
            for earlier in 0..<later where areEqual(names[earlier], names[later], bytes) { return names[later].item }
        }
        return nil
    }

    private mutating func firstDuplicateByTable(_ bytes: Span<UInt8>) -> Int? {
        let size = 1 << (Int.bitWidth - (2 * names.count - 1).leadingZeroBitCount)
        table.removeAll(keepingCapacity: true)
        table.append(contentsOf: repeatElement(JSONTapeItem.none, count: size))
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
