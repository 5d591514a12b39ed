extension TapeContents {
    /// The content of a string, chunks joined.
    func string(at entry: Int) -> [UInt8] {
        guard head(of: entry).isIndefinite else { return unsafe Array(bytes[contentRange(of: entry)]) }
        var joined: [UInt8] = []
        for chunk in children(of: entry) { unsafe joined += unsafe bytes[contentRange(of: chunk)] }
        return joined
    }
}

extension CBORKeyOrder {
    /// Returns `true` if an encoded key may stand right before another.
    func areInOrder(_ first: some BidirectionalCollection<UInt8>, _ second: some BidirectionalCollection<UInt8>) -> Bool
    {
        if self == .lengthFirst, first.count != second.count { return first.count < second.count }
        return first.lexicographicallyPrecedes(second)
    }
}
