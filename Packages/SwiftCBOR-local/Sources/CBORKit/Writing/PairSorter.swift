/// A pair of a map that has been written, for putting the pairs in the order of their keys.
@safe
struct WrittenPair {
    /// The first eight bytes of the key as a number, padded with zeros: most comparisons end here.
    let keyPrefix: UInt64
    /// The offset in the output at which the pair begins.
    let start: Int
    /// The number of bytes of the key.
    let keyCount: Int
    /// The offset in the output at which the pair ends, known once the map is complete.
    var end = 0

    /// Returns `true` if the key comes before that of another pair in the output that starts at a place in memory.
    @inline(__always)
    func precedes(_ other: WrittenPair, _ order: CBORKeyOrder, in output: UnsafeMutableRawPointer) -> Bool {
        if order == .lengthFirst, keyCount != other.keyCount { return keyCount < other.keyCount }
        if keyPrefix != other.keyPrefix { return keyPrefix < other.keyPrefix }
        // Of different keys, none is the beginning of the other.
        return unsafe key(in: output).lexicographicallyPrecedes(other.key(in: output))
    }

    private func key(in output: UnsafeMutableRawPointer) -> UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(start: output + start, count: keyCount)
    }
}

/// Puts the pairs of a map in the order of their encoded keys, after they were written as they came: every key is
/// encoded once, and none is moved if they come in order.
@safe
struct PairSorter {
    private let order: CBORKeyOrder
    private let pairs: UnsafeMutableBufferPointer<WrittenPair>
    private var count = 0

    /// Lends a sorter with room for so many pairs.
    @inline(__always)
    static func with(_ order: CBORKeyOrder, capacity: Int, _ body: (inout PairSorter) -> Void) {
        unsafe withUnsafeTemporaryAllocation(of: WrittenPair.self, capacity: capacity) {
            var sorter = unsafe PairSorter(order: order, pairs: $0)
            body(&sorter)
        }
    }

    /// Notes that a key was written from a position on; its value follows.
    @inline(__always)
    mutating func add(keyFrom start: Int, in output: inout OutputBuffer) {
        let prefix = output.prefix(from: start)
        unsafe pairs[count] = WrittenPair(keyPrefix: prefix, start: start, keyCount: output.count - start)
        count &+= 1
    }

    /// Sorts what was written since the first key.
    func sort(_ output: inout OutputBuffer) {
        guard count > 1 else { return }
        var pairs = unsafe UnsafeMutableBufferPointer(rebasing: pairs[..<count])
        let bytes = unsafe output.start
        var isSorted = true
        for index in 1..<count {
            unsafe pairs[index - 1].end = pairs[index].start
            if unsafe pairs[index].precedes(pairs[index - 1], order, in: bytes) { isSorted = false }
        }
        unsafe pairs[count - 1].end = output.count
        if isSorted { return }
        let start = unsafe pairs[0].start
        // The standard library's sort is stable: a key that occurs twice keeps its order.
        unsafe pairs.sort { unsafe $0.precedes($1, order, in: bytes) }
        unsafe output.rearrange(from: start, by: UnsafeBufferPointer(pairs))
    }
}
