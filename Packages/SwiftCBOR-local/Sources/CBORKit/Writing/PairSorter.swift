/// Puts the pairs of a map in the order of their encoded keys, after they were written as they came: every key is
/// encoded once, and none if they come in order.
struct PairSorter {
    private let order: CBORKeyOrder
    /// The offset in the output at which the first pair begins.
    private let start: Int
    private var pairs: [Pair] = []

    /// The range of a written pair, counted from the first.
    private struct Pair {
        let start: Int
        let keyEnd: Int
        var end: Int
    }

    init(_ order: CBORKeyOrder, start: Int) {
        self.order = order
        self.start = start
    }

    /// Notes that a key was written from a position up to another; its value follows.
    mutating func add(keyFrom keyStart: Int, to keyEnd: Int) {
        pairs.append(Pair(start: keyStart - start, keyEnd: keyEnd - start, end: keyEnd - start))
    }

    /// Sorts what was written since the start.
    consuming func sort(_ output: inout OutputBuffer) {
        let end = output.count - start
        for index in pairs.indices { pairs[index].end = index + 1 < pairs.count ? pairs[index + 1].start : end }
        let bytes = output.bytes(from: start)
        let order = order
        let isInOrder = { (first: Pair, second: Pair) in
            order.areInOrder(bytes[first.start..<first.keyEnd], bytes[second.start..<second.keyEnd])
        }
        guard zip(pairs, pairs.dropFirst()).contains(where: { !isInOrder($0, $1) }) else { return }
        pairs.sort(by: isInOrder)
        var sorted: [UInt8] = []
        sorted.reserveCapacity(bytes.count)
        for pair in pairs { sorted += bytes[pair.start..<pair.end] }
        output.overwrite(from: start, with: sorted)
    }
}
