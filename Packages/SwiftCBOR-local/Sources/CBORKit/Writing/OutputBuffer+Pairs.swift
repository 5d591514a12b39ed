extension OutputBuffer {
    /// Appends the pairs of a map in their own order, or sorted by their encoded keys.
    ///
    /// For sorting they are written as they come, every key once, and what was written is then put in order.
    mutating func appendPairs<Pair>(
        _ pairs: [Pair],
        order: CBORKeyOrder?,
        key appendKey: (inout OutputBuffer, Pair) -> Void,
        value appendValue: (inout OutputBuffer, Pair) -> Void
    ) {
        let start = count
        var written: [WrittenPair] = []
        for pair in pairs {
            let keyStart = count - start
            appendKey(&self, pair)
            let keyEnd = count - start
            appendValue(&self, pair)
            if order != nil { written.append(WrittenPair(start: keyStart, keyEnd: keyEnd, end: count - start)) }
        }
        guard let order, written.count > 1 else { return }
        let bytes = self.bytes(from: start)
        let inOrder = { (first: WrittenPair, second: WrittenPair) in
            order.areInOrder(bytes[first.start..<first.keyEnd], bytes[second.start..<second.keyEnd])
        }
        guard zip(written, written.dropFirst()).contains(where: { !inOrder($0, $1) }) else { return }
        written.sort(by: inOrder)
        var sorted: [UInt8] = []
        sorted.reserveCapacity(bytes.count)
        for pair in written { sorted += bytes[pair.start..<pair.end] }
        overwrite(from: start, with: sorted)
    }

    /// Where a pair was written, counted from the first.
    private struct WrittenPair {
        let start: Int
        let keyEnd: Int
        let end: Int
    }
}
