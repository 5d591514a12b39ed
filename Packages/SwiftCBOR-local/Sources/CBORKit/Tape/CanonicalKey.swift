/// An encoding of map keys that is the same for all encodings of one value, so that equal keys have equal bytes.
///
/// Equality is that of the generic data model (RFC 8949 section 5.6.1): the width of a head, chunks, indefinite lengths,
/// the precision of a number, and the order of a map's pairs do not count; an integer is never equal to a
/// floating-point number; a bignum that fits an integer is that integer, and its leading zeros do not count (section
/// 3.4.3).
struct CanonicalKey {
    /// Keys within keys within keys: every level takes another pass over the bytes, so there is an end to it.
    private static let maximumKeyNesting = 4

    private let contents: TapeContents
    private var output: [UInt8] = []
    private var open: [OpenItem] = []

    private struct OpenItem {
        /// One past the item's last entry.
        let end: Int
        /// The offset in the output at which the item's content begins.
        let contentStart: Int
        let isMap: Bool
        let keyNesting: Int
        /// The offsets in the output at which each item directly within a map begins.
        var starts: [Int] = []
    }

    /// Returns `true` if the value at a position has only one encoding, so that its bytes can be compared directly.
    @inline(__always)
    static func isOnlyEncoding(_ start: Int, in bytes: UnsafeRawBufferPointer) -> Bool {
        let initial = unsafe bytes[start]
        return unsafe initial < 0x80 && initial & 0x1f < 24 || isOnlyLongEncoding(start, in: bytes)
    }

    @inline(never)
    private static func isOnlyLongEncoding(_ start: Int, in bytes: UnsafeRawBufferPointer) -> Bool {
        let head = unsafe Head(at: start, in: bytes)
        guard head.major < 4 else { return head.initial >= 0xe0 && head.initial <= 0xf8 }
        return !head.isIndefinite && head.redundantWidth == nil
    }

    /// Appends the canonical form of a closed item.
    static func append(_ entry: Int, in contents: TapeContents, to output: inout [UInt8]) throws(TapeFailure) {
        var key = CanonicalKey(contents: contents)
        var current = entry
        let end = contents.next(after: entry)
        while current < end {
            current = try key.visit(current)
            key.closeItems(endingAt: current)
        }
        output += key.output
    }

    private init(contents: TapeContents) {
        self.contents = contents
    }

    /// Writes an item up to where its content begins, or all of it if nothing is in it; returns the entry to go on with.
    private mutating func visit(_ entry: Int) throws(TapeFailure) -> Int {
        let initial = contents.initialByte(of: entry)
        guard initial != TapeEntry.breakByte else { return entry + 1 }
        let head = contents.head(of: entry)
        let isKey = noteStart()
        switch head.major {
        case 2, 3: return appendString(entry, head)
        case 4: try openItem(entry, 4, contents.childCount(of: entry), isKey: isKey)
        case 5: try openItem(entry, 5, contents.childCount(of: entry) / 2, isKey: isKey)
        case 6:
            if let next = appendBignum(entry, tag: head.argument) { return next }
            try openItem(entry, 6, Int(truncatingIfNeeded: head.argument), isKey: isKey)
        case 7 where head.information > 24:
            let number = CBORFloat(initialByte: initial, bits: head.argument)
            HeadWriter.append(7, number.value.bitPattern, width: .eight, to: &output)
        default: HeadWriter.append(head.major, head.argument, to: &output)
        }
        return entry + 1
    }

    /// Notes for the enclosing map that an item begins; returns whether it is a key.
    private mutating func noteStart() -> Bool {
        guard let last = open.indices.last, open[last].isMap else { return false }
        open[last].starts.append(output.count)
        return open[last].starts.count % 2 == 1
    }

    private mutating func openItem(_ entry: Int, _ major: UInt8, _ argument: Int, isKey: Bool) throws(TapeFailure) {
        HeadWriter.append(major, UInt64(bitPattern: Int64(argument)), to: &output)
        let end = contents.next(after: entry)
        let keyNesting = (open.last?.keyNesting ?? 0) + (isKey ? 1 : 0)
        guard keyNesting <= Self.maximumKeyNesting else {
            let limit = UInt64(Self.maximumKeyNesting)
            throw TapeFailure(.nestedKeys, position: contents.offset(of: entry), entry: entry, argument: limit)
        }
        open.append(OpenItem(end: end, contentStart: output.count, isMap: major == 5, keyNesting: keyNesting))
    }

    private mutating func closeItems(endingAt entry: Int) {
        while let item = open.last, item.end == entry {
            open.removeLast()
            if item.isMap { sortPairs(of: item) }
        }
    }

    private mutating func sortPairs(of map: OpenItem) {
        let bounds = map.starts + [output.count]
        let pairs = stride(from: 0, to: map.starts.count, by: 2).sorted { first, second in
            output[bounds[first]..<bounds[first + 1]].lexicographicallyPrecedes(
                output[bounds[second]..<bounds[second + 1]]
            )
        }
        let sorted = pairs.flatMap { output[bounds[$0]..<bounds[$0 + 2]] }
        output.replaceSubrange(map.contentStart..., with: sorted)
    }

    private mutating func appendString(_ entry: Int, _ head: Head) -> Int {
        let content = contents.string(at: entry)
        HeadWriter.append(head.major, UInt64(content.count), to: &output)
        output += content
        return contents.next(after: entry)
    }

    /// Appends a bignum without leading zeros, or as an integer if that can hold it; returns nil for all else.
    private mutating func appendBignum(_ entry: Int, tag: UInt64) -> Int? {
        guard tag == 2 || tag == 3, contents.head(of: entry + 1).major == 2 else { return nil }
        let digits = contents.string(at: entry + 1).drop { $0 == 0 }
        if digits.count <= 8 {
            let argument = digits.reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
            HeadWriter.append(tag == 2 ? 0 : 1, argument, to: &output)
        } else {
            HeadWriter.append(6, tag, to: &output)
            HeadWriter.append(2, UInt64(digits.count), to: &output)
            output += digits
        }
        return contents.next(after: entry)
    }
}
